import { expect, test } from 'vitest';
import { heightOf, isScaled, reveal, scrollTopOf, topRow } from './virtual';

const short = { total: 1000, row: 34, seen: 510 };
const long = { total: 1_000_000, row: 34, seen: 510 };

test('a short list is as tall as its rows', () => {
  expect(heightOf(short)).toBe(34_000);
  expect(topRow(short, 340)).toBe(10);
  expect(scrollTopOf(short, 10)).toBe(340);
});

test('a long list fits into an element, and both ends can be reached', () => {
  expect(isScaled(long)).toBe(true);
  const end = heightOf(long) - long.seen;
  expect(topRow(long, 0)).toBe(0);
  expect(topRow(long, end)).toBeCloseTo(1_000_000 - 15);
  for (const top of [0, 1, 17.5, 500_000, 999_985]) {
    expect(topRow(long, scrollTopOf(long, top))).toBeCloseTo(top, 4);
  }
});

test('a row that is not seen is brought into the window, no further', () => {
  expect(reveal(short, 10, 12)).toBe(10);
  expect(reveal(short, 10, 5)).toBe(5);
  expect(reveal(short, 10, 30)).toBe(16);
});
