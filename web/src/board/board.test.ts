import { describe, expect, test } from 'vitest';
import { arrowPath } from './arrow';
import { boardSvg } from './export';
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
