// Sentences for screen readers: what happened, and what can be done now.

import type { SessionView, Side } from '../api/wire';
import { plural } from './numbers';

export const sideName = (side: Side) => (side === 'black' ? 'Black' : 'White');

/** "Black d2, flips 3; White has 9 moves". */
export function sayPosition(session: SessionView): string {
  const parts: string[] = [];
  const last = session.lastMove;
  if (last) {
    parts.push(
      last.square === null
        ? `${sideName(last.side)} passes`
        : `${sideName(last.side)} ${last.move}, flips ${last.flips.length}`,
    );
  } else {
    parts.push('Start position');
  }
  if (session.outcome) parts.push(session.outcome.text);
  else if (session.position.turn) {
    const side = sideName(session.position.turn);
    if (session.mustPass) parts.push(`${side} has to pass`);
    else parts.push(`${side} has ${plural(session.legal.length, 'move')}`);
  }
  return parts.join('; ');
}

/** Whether two views differ in something worth saying aloud. */
export function isNewPosition(before: SessionView | null, after: SessionView): boolean {
  return before === null || before.id !== after.id || before.node !== after.node;
}
