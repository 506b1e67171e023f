import { expect, test } from 'vitest';
import { clock, countShort, discs, discsLost, discsShort, discsSpoken, plural } from './numbers';

test('discs have a true minus sign and no needless fraction', () => {
  expect([0, 3, 200, -400, 250, -1234, 6400].map(discs)).toEqual([
    '0',
    '0',
    '+2',
    '−4',
    '+2.5',
    '−12.3',
    '+64',
  ]);
});

test('large values are short on the board', () => {
  expect([-640, -1234, 990, 995].map(discsShort)).toEqual(['−6.4', '−12', '+9.9', '+10']);
});

test('a loss is a size', () => {
  expect([discsLost(600), discsLost(-250)]).toEqual(['6', '2.5']);
});

test('a voice gets words', () => {
  expect([0, 200, -450].map(discsSpoken)).toEqual(['even', 'plus 2', 'minus 4.5']);
});

test('counts are rounded to what fits', () => {
  expect([0, 999, 1500, 48_234_567, 2.5e9].map(countShort)).toEqual([
    '0',
    '999',
    '1.5 k',
    '48 M',
    '2.5 G',
  ]);
});

test('a clock shows tenths at the end and never less than nothing', () => {
  expect([245_000, 60_000, 10_000, 9_960, 40, -5].map(clock)).toEqual([
    '4:05',
    '1:00',
    '0:10',
    '9.9',
    '0.0',
    '0.0',
  ]);
});

test('one is singular', () => {
  expect([plural(1, 'move'), plural(0, 'move'), plural(2, 'move')]).toEqual([
    '1 move',
    '0 moves',
    '2 moves',
  ]);
});
