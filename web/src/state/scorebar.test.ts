import { expect, test } from 'vitest';
import { report } from './sample';
import { scoreBar } from './scorebar';

const at = (black: number, solved = false) => scoreBar(report([], { black, solved }));

test('the bar is half for an even game and full from half a board on', () => {
  expect(at(0).black).toBe(0.5);
  expect(at(1600).black).toBe(0.75);
  expect(at(-1600).black).toBe(0.25);
  expect(at(6400).black).toBe(1);
  expect(at(-6400).black).toBe(0);
});

test('the number stands at the end of the side that is ahead, without a sign', () => {
  expect(at(250)).toMatchObject({ leader: 'black', text: '2.5' });
  expect(at(-1240)).toMatchObject({ leader: 'white', text: '12' });
  expect(at(0)).toMatchObject({ text: '0' });
});

test('it is told in words, with what it rests on', () => {
  expect(at(-1240).spoken).toBe('White is ahead by 12.4, depth 12');
  expect(at(200, true).spoken).toBe('Black is ahead by 2, solved');
  expect(at(0).spoken).toBe('Even, depth 12');
  expect(scoreBar(null)).toMatchObject({ black: 0.5, text: '', spoken: 'Not valued yet' });
});
