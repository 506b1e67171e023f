// *Find a better move*: which mistakes the reader has tried, and what is hidden until then. A
// mistake is known by the place before it, where the choice was.

import type { Attempt, ReviewedMove, SessionView, Side } from '../api/wire';
import type { Event } from './event';
import type { ReviewState } from './review';
import type { State } from './state';
import { nodeOf } from './session';
import type { SquareIndex } from './squares';

/** How a mistake stands with the reader. */
export type Standing = 'open' | 'found' | 'seen';

/** What this window knows of a try; how it stands is kept with the game. */
export interface Try {
  /** The last try and what was said of it. */
  readonly last: Attempt | null;
  /** The part of the board to look at, if the reader asked for it. */
  readonly region: readonly SquareIndex[];
}

/** By the node before the mistake. */
export type Tries = Readonly<Record<number, Try>>;

export const UNTRIED: Try = { last: null, region: [] };

export function tries(state: Tries, event: Event): Tries {
  switch (event.type) {
    case 'attempted':
      return changed(state, event.node, { last: event.attempt });
    case 'lookedAt':
      return changed(state, event.node, { region: event.squares });
    case 'triedAnew':
      return { ...state, [event.node]: UNTRIED };
    default:
      return state;
  }
}

function changed(state: Tries, node: number, to: Partial<Try>): Tries {
  return { ...state, [node]: { ...(state[node] ?? UNTRIED), ...to } };
}

/** The side that is "you"; null where nobody is, or both are. */
export function ownSide({ people }: SessionView): Side | null {
  return people === 'black' || people === 'white' ? people : null;
}

/** Whose mistakes are the reader's own; both sides' where nobody in the game is "you". */
export function isOwn({ side }: Pick<ReviewedMove, 'side'>, session: SessionView): boolean {
  return (ownSide(session) ?? side) === side;
}

export function standingOf(move: ReviewedMove, session: SessionView): Standing {
  const before = nodeOf(session, move.node)?.parent ?? null;
  return (before === null ? null : nodeOf(session, before)?.tried) ?? 'open';
}

/** What the reader is to find at the position shown, if anything. */
export function tryingNow({ shell, game, review }: Omit<State, 'play' | 'games'>): Trying | null {
  if (shell.route.place !== 'review') return null;
  return tryingOf(review, game.session, shell.settings?.ui.tryFirst ?? true);
}

/** What to say to a reader who asks for what is still hidden. */
export const HIDDEN = 'Try to find it first, or let the answer be shown.';

export interface Trying {
  /** The mistake that was made here. */
  move: ReviewedMove;
  now: Try;
  /** Its number among the reader's mistakes, and how many those are. */
  number: number;
  total: number;
}

/** The mistake that was made from the position shown, if one was. */
export function mistakeHere(review: ReviewState, session: SessionView): ReviewedMove | null {
  const { review: found } = review;
  if (found === null) return null;
  const here = session.node;
  const isHere = (node: number) => nodeOf(session, node)?.parent === here;
  const node = found.mistakes.find(isHere);
  return found.moves.find((move) => move.node === node) ?? null;
}

/** What the reader is to find at the position shown: null where everything may be seen. */
export function tryingOf(
  review: ReviewState,
  session: SessionView | null,
  tryFirst: boolean,
): Trying | null {
  if (!tryFirst || session === null || review.id !== session.id) return null;
  const move = mistakeHere(review, session);
  if (move === null || !isOwn(move, session)) return null;
  if (standingOf(move, session) !== 'open') return null;
  const now = review.tries[session.node] ?? UNTRIED;
  const own = (review.review?.mistakes ?? []).filter((node) => {
    const found = review.review?.moves.find((it) => it.node === node);
    return found !== undefined && isOwn(found, session);
  });
  return { move, now, number: own.indexOf(move.node) + 1, total: own.length };
}
