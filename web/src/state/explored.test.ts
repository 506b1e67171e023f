import { expect, test } from 'vitest';
import type { ExploredMove } from '../api/wire';
import { exploredLabels, explorerRows, ownText } from './explored';

const played = (square: number, games: number, score: number | null): ExploredMove => ({
  move: 'x',
  square,
  wire: null,
  book: null,
  games,
  share: games / 1000,
  black: 0,
  draws: 0,
  white: 0,
  value: score === null ? null : { score, mate: null, reach: 'd20', source: '' },
  own: { games: 0, won: 0, drawn: 0, lost: 0 },
  warning: score !== null && score < 0 ? 'often played, but bad' : null,
});

test('squares say value and games, the best is marked', () => {
  const labels = exploredLabels({ moves: [played(3, 700, 0), played(5, 290, -250)] });
  expect(labels.get(3)).toMatchObject({ text: '0', detail: '700', kind: 'best' });
  expect(labels.get(5)).toMatchObject({ text: '−2.5', detail: '290', kind: 'poor' });
  expect(labels.get(5)?.spoken).toBe('minus 2.5, 290 games, 29 %');
});

test('without a value the games are what counts; games that ended have no square', () => {
  const ended = { ...played(0, 5, null), square: null, move: null };
  const labels = exploredLabels({ moves: [played(9, 10, null), ended] });
  expect([...labels.keys()]).toEqual([9]);
  expect(labels.get(9)).toMatchObject({ text: '10', detail: '1 %', kind: 'plain' });
});

test('a move that only the book has says so', () => {
  const labels = exploredLabels({ moves: [{ ...played(7, 0, null), book: 0.25 }] });
  expect(labels.get(7)).toMatchObject({ text: 'book', detail: '25 %', spoken: 'in the book' });
});

test('own results are counted, many of them as points', () => {
  expect(ownText({ games: 0, won: 0, drawn: 0, lost: 0 })).toBe('–');
  expect(ownText({ games: 3, won: 0, drawn: 0, lost: 0 })).toBe('–');
  expect(ownText({ games: 7, won: 2, drawn: 1, lost: 4 })).toBe('2–1–4');
  expect(ownText({ games: 400, won: 100, drawn: 40, lost: 260 })).toBe('30 %');
});

test('played moves stand first, then the best of the others', () => {
  const rows = explorerRows([
    played(1, 0, -30),
    played(2, 5, null),
    { ...played(3, 0, null), book: 0.7 },
    played(4, 9, 10),
    played(5, 0, 40),
    { ...played(6, 0, null), book: 0.9 },
  ]);
  expect(rows.map((it) => it.square)).toEqual([4, 2, 5, 1, 6, 3]);
});
