// Positions as text, as the server reads them.

import type { SessionView } from '../api/wire';

/** The position that a session shows: 64 squares and the side to move, or a FEN. */
export function positionText({ position }: Pick<SessionView, 'position'>): string {
  if (position.kind === 'chess') return position.fen;
  return `${position.board} ${position.turn === 'white' ? 'O' : 'X'}`;
}
