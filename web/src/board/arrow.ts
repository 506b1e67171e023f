// The way of an arrow from the middle of one square to just before the middle of another.

import type { SquareIndex } from '../state/squares';

export function arrowPath(from: SquareIndex, to: SquareIndex, cell: number): string {
  const middle = (square: SquareIndex) => ({
    x: (square % 8) * cell + cell / 2,
    y: Math.floor(square / 8) * cell + cell / 2,
  });
  const a = middle(from);
  const b = middle(to);
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  if (length === 0) return '';
  const inset = cell * 0.2;
  const along = (distance: number) => ({
    x: Math.round(a.x + ((b.x - a.x) / length) * distance),
    y: Math.round(a.y + ((b.y - a.y) / length) * distance),
  });
  const start = along(inset);
  const end = along(length - inset);
  return `M${start.x} ${start.y}L${end.x} ${end.y}`;
}
