// A position that is set up by hand: 64 squares, what a click puts there, and who is to move.

import type { Side } from '../api/wire';
import type { SquareIndex } from './squares';

export type Piece = 'X' | 'O' | '-';

export interface SetUp {
  readonly board: string;
  readonly turn: Side;
  /** What a click puts on a square; `turn` goes from empty to black to white and back. */
  readonly tool: Piece | 'turn';
}

const NEXT: Record<string, Piece> = { '-': 'X', X: 'O', O: '-' };
export const EMPTY = '-'.repeat(64);
export const START_BOARD = `${'-'.repeat(27)}OX${'-'.repeat(6)}XO${'-'.repeat(27)}`;

export function put(setUp: SetUp, square: SquareIndex): SetUp {
  const before = setUp.board[square] ?? '-';
  const wanted = setUp.tool === 'turn' ? NEXT[before]! : setUp.tool;
  // The same disc once more takes it away.
  const piece = setUp.tool !== 'turn' && before === wanted ? '-' : wanted;
  return {
    ...setUp,
    board: setUp.board.slice(0, square) + piece + setUp.board.slice(square + 1),
  };
}

/** As the server reads it. */
export function positionText({ board, turn }: SetUp): string {
  return `${board} ${turn === 'black' ? 'X' : 'O'}`;
}

export function countOf(board: string, piece: Piece): number {
  return [...board].filter((it) => it === piece).length;
}
