import { describe, expect, test } from 'vitest';
import { arrowPath } from './arrow';
import { boardSvg } from './export';
import { GRID_PATH, left, previewedMove, shieldPath, top } from './geometry';
import { cellName } from './view';

describe('names of cells', () => {
  test('say what is there and what can be done', () => {
    const legal = { square: 19, flips: [27, 35] };
    expect(cellName(19, '-', { legal })).toBe('d3, empty, legal, flips 2');
    expect(cellName(27, 'O', {})).toBe('d4, white disc');
    expect(cellName(28, 'X', { last: true })).toBe('e4, black disc, last move');
  });

  test('say values and marks', () => {
    const label = { text: '+2', detail: 'd8', kind: 'best', spoken: 'best, plus 2' } as const;
    const overlay = { square: 19, spoken: 'leaves you 4 moves' };
    expect(cellName(19, '-', { label, overlay, highlighted: true })).toBe(
      'd3, empty, best, plus 2, leaves you 4 moves, highlighted',
    );
  });
});

test('an arrow ends before the middle of its square, and a point is none', () => {
  expect(arrowPath(9, 0, 100)).toBe('M136 136L64 64');
  expect(arrowPath(0, 0, 100)).toBe('');
});

test('a picture has every disc and stands alone', () => {
  const start = '---------------------------OX------XO---------------------------';
  const svg = boardSvg(start, 27);
  expect(svg.match(/r="25"/g)).toHaveLength(4);
  expect(svg.match(/fill="#f7f7f2"/g)).toHaveLength(2);
  expect(svg).toContain('<title>Othello position, 2 black and 2 white discs</title>');
  expect(svg).toContain('r="6"');
  expect(boardSvg(start)).not.toContain('r="6"');
  expect(svg).not.toMatch(/style=|href=|url\(/);
});

test('squares are a hundred units wide, and there are nine lines each way', () => {
  expect([left(0), top(0), left(63), top(63)]).toEqual([0, 0, 700, 700]);
  expect(GRID_PATH.match(/M/g)).toHaveLength(18);
  expect(shieldPath(9)).toMatch(/^M150 128l/);
});

test('the pointer is asked before the focus which move to show', () => {
  const moves = new Map([19, 26].map((square) => [square, { square, flips: [] }]));
  expect(previewedMove(moves, 26, 19)?.square).toBe(26);
  expect(previewedMove(moves, 0, 19)?.square).toBe(19);
  expect(previewedMove(moves, null, 0)).toBeNull();
  expect(previewedMove(moves, null, null)).toBeNull();
});
