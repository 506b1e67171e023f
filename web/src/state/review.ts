// What Review alone knows: its panel, whether values are on the board, and the review of the whole
// game as far as it has come.

import type { Job, Review, ReviewedMove, SessionView } from '../api/wire';
import type { Event } from './event';
import type { Panel } from './route';

export interface ReviewState {
  readonly id: string | null;
  /** The panel that was chosen; null is the one that fits the game. */
  readonly panel: Panel | null;
  readonly valuesOnBoard: boolean;
  readonly review: Review | null;
  readonly order: 'size' | 'game';
}

export const REVIEW_START: ReviewState = {
  id: null,
  panel: null,
  valuesOnBoard: true,
  review: null,
  order: 'size',
};

export function review(state: ReviewState, event: Event): ReviewState {
  switch (event.type) {
    case 'routed': {
      const { route } = event;
      if (route.place !== 'review') return state;
      const same = route.id === state.id;
      return {
        ...state,
        id: route.id,
        panel: route.panel ?? (same ? state.panel : null),
        review: same ? state.review : null,
      };
    }
    case 'panel':
      return { ...state, panel: event.panel };
    // The answer is the coach's.
    case 'whyAsked':
      return state.panel === 'coach' ? state : { ...state, panel: 'coach' };
    case 'valuesOnBoard':
      return { ...state, valuesOnBoard: event.on };
    case 'mistakeOrder':
      return { ...state, order: event.order };
    case 'reviewed':
      return reviewed(state, event.review);
    case 'server':
      return event.event.type === 'review' ? reviewed(state, event.event.data) : state;
    default:
      return state;
  }
}

function reviewed(state: ReviewState, arrived: Review): ReviewState {
  return arrived.session === state.id ? { ...state, review: arrived } : state;
}

/** A finished game opens on Coach, a position on Engines. */
export function panelOf(state: ReviewState, session: SessionView | null): Panel {
  if (state.panel !== null) return state.panel;
  return session !== null && isWholeGame(session) ? 'coach' : 'engines';
}

/** A record with a result, or a line that ends because nobody can move. */
function isWholeGame(session: SessionView): boolean {
  return session.outcome !== null || session.tags.result !== null;
}

/** The moves that gave something away, as the list shows them. */
export function mistakesOf(state: ReviewState): ReviewedMove[] {
  const { review: found } = state;
  if (found === null) return [];
  const nodes = new Set(found.mistakes);
  const moves = found.moves.filter((move) => nodes.has(move.node));
  return state.order === 'game' ? moves : moves.toSorted((a, b) => b.loss - a.loss);
}

/**
 * Where to stand to look at a mistake: before the move, because that is where the choice was. The
 * next one behind or before the position shown, in the order of the game; null at the end.
 */
export function nextMistake(
  state: ReviewState,
  session: SessionView,
  forward: boolean,
): number | null {
  const at = session.line.indexOf(session.node);
  const places = (state.review?.mistakes ?? [])
    .map((node) => session.line.indexOf(node) - 1)
    .filter((place) => place >= 0);
  const found = forward
    ? places.filter((place) => place > at).toSorted((a, b) => a - b)
    : places.filter((place) => place < at).toSorted((a, b) => b - a);
  const place = found[0];
  return place === undefined ? null : (session.line[place] ?? null);
}

/** The review of the session that is under way, if one is. */
export function runningReview(jobs: readonly Job[], id: string | null): Job | null {
  const mine = (job: Job) =>
    job.subject.kind === 'review' && job.subject.session === id && !isOver(job);
  return jobs.find(mine) ?? null;
}

export function isOver(job: Job): boolean {
  return job.state === 'finished' || job.state === 'cancelled' || job.state === 'failed';
}
