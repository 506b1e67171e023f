import { expect, test } from 'vitest';
import { keyPlaces } from './help';
import { ACTIONS, keyOf } from './keys';

test('a key that means two things says where', () => {
  expect(keyPlaces('newGame')).toBe('in Play and Games');
  expect(keyPlaces('nextMistake')).toBe('in Review');
  expect(keyPlaces('hint')).toBe('');
  expect(keyPlaces('help')).toBe('');
  const said = ACTIONS.map((it) => `${keyOf(it.id, {})} ${keyPlaces(it.id)}`);
  expect(new Set(said).size).toBe(said.length);
});
