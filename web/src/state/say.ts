// Sentences for screen readers: what happened, and what can be done now.

import type { Node, SessionView, Side } from '../api/wire';
import { plural } from './numbers';
import { nodeOf } from './session';

export const sideName = (side: Side) => (side === 'black' ? 'Black' : 'White');

/** The moves that led from one place to another before the last one, if they did. */
function movesBetween(from: number, session: SessionView): Node[] {
  const between: Node[] = [];
  let at = nodeOf(session, session.node);
  while (at && at.parent !== null && at.parent !== from) {
    at = nodeOf(session, at.parent);
    if (at) between.unshift(at);
  }
  // A jump is no row of moves.
  const isWay = at?.parent === from && between.length <= SPOKEN_MOVES;
  return isWay ? between : [];
}

/** A move, its reply and the passes between them; more is a walk, of which the end is said. */
const SPOKEN_MOVES = 3;

/** "Black d2, flips 3; White has 9 moves". What was made on the way here is said before. */
export function sayPosition(session: SessionView, before: SessionView | null = null): string {
  const parts =
    before === null || before.id !== session.id
      ? []
      : movesBetween(before.node, session).map((node) =>
          node.move === 'ps'
            ? `${sideName(node.side ?? 'black')} passes`
            : `${sideName(node.side ?? 'black')} ${node.text ?? node.move}`,
        );
  const last = session.lastMove;
  if (last) {
    parts.push(
      last.square === null
        ? `${sideName(last.side)} passes`
        : session.game === 'chess'
          ? `${sideName(last.side)} ${last.text}`
          : `${sideName(last.side)} ${last.move}, flips ${last.flips.length}`,
    );
  } else {
    parts.push('Start position');
  }
  if (session.outcome) parts.push(session.outcome.text);
  else if (session.position.turn) {
    const side = sideName(session.position.turn);
    if (session.mustPass) parts.push(`${side} has to pass`);
    else if (session.position.kind === 'chess' && session.position.check !== null)
      parts.push(`${side} is in check`);
    else if (session.game === 'chess') parts.push(`${side} to move`);
    else parts.push(`${side} has ${plural(session.legal.length, 'move')}`);
  }
  return parts.join('; ');
}

/** Whether two views differ in something worth saying aloud. */
export function isNewPosition(before: SessionView | null, after: SessionView): boolean {
  return before === null || before.id !== after.id || before.node !== after.node;
}
