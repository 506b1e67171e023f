// Where things are on the board's drawing: 100 units for each square.

import type { SquareIndex } from '../state/squares';
import type { LegalMove } from './view';

export const CELL = 100;

export const left = (square: SquareIndex): number => (square % 8) * CELL;
export const top = (square: SquareIndex): number => Math.floor(square / 8) * CELL;

/** All lines of the grid. */
export const GRID_PATH = Array.from(
  { length: 9 },
  (_, it) => `M${it * CELL} 0v${8 * CELL}M0 ${it * CELL}h${8 * CELL}`,
).join('');

/** A shield around the middle of a square. */
export function shieldPath(square: SquareIndex): string {
  const [x, y] = [left(square) + CELL / 2, top(square) + CELL / 2];
  return `M${x} ${y - 22}l19 7v13c0 13-8 20-19 24-11-4-19-11-19-24v-13z`;
}

/** The move whose flips are shown: that under the pointer, else that on the focused square. */
export function previewedMove(
  moves: ReadonlyMap<SquareIndex, LegalMove>,
  pointed: SquareIndex | null,
  focused: SquareIndex | null,
): LegalMove | null {
  const under = pointed === null ? undefined : moves.get(pointed);
  const on = focused === null ? undefined : moves.get(focused);
  return under ?? on ?? null;
}
