// What Review alone knows: its panel, whether values are on the board, and the review of the whole
// game as far as it has come.

import type { Job, Review, ReviewedMove, ServerEvent, SessionView } from '../api/wire';
import type { Event } from './event';
import { PANELS, type Panel } from './route';
import { nodeOf } from './session';
import { isOwn, standingOf, tries, type Tries } from './tries';

/** What a phone shows of the coach's panel at a time. */
export type Part = 'why' | 'mistakes' | 'graph';

export interface ReviewState {
  readonly id: string | null;
  /** The panel that was chosen; null is the one that fits the game. */
  readonly panel: Panel | null;
  /** The part of the coach's panel that a phone shows; null is the one that fits. */
  readonly part: Part | null;
  readonly valuesOnBoard: boolean;
  readonly review: Review | null;
  readonly order: 'size' | 'game';
  /** Whose mistakes are listed. */
  readonly whose: 'mine' | 'both';
  readonly tries: Tries;
  /** Where the game stood when it was opened; null once the reader has gone elsewhere. */
  readonly openedAt: number | null;
}

export const REVIEW_START: ReviewState = {
  id: null,
  panel: null,
  part: null,
  valuesOnBoard: true,
  review: null,
  order: 'size',
  whose: 'mine',
  tries: {},
  openedAt: null,
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
        part: same ? state.part : null,
        review: same ? state.review : null,
        tries: same ? state.tries : {},
        openedAt: same ? state.openedAt : null,
      };
    }
    case 'opened':
      return { ...state, openedAt: event.node };
    case 'mistakesOf':
      return { ...state, whose: event.whose };
    case 'attempted':
    case 'lookedAt':
    case 'triedAnew':
      return { ...state, tries: tries(state.tries, event) };
    case 'part':
      return { ...state, part: event.part };
    case 'panel':
      return { ...state, panel: event.panel };
    // The answer is the coach's.
    case 'whyAsked':
      return { ...state, panel: 'coach', part: 'why' };
    case 'valuesOnBoard':
      return { ...state, valuesOnBoard: event.on };
    case 'mistakeOrder':
      return { ...state, order: event.order };
    case 'reviewed':
      return reviewed(state, event.review);
    case 'viewed':
      return walked(state, event.view);
    case 'server':
      return server(state, event.event);
    default:
      return state;
  }
}

function server(state: ReviewState, event: ServerEvent): ReviewState {
  switch (event.type) {
    case 'review':
      return reviewed(state, event.data);
    case 'session':
      return walked(state, event.data);
    case 'patch':
      return walked(state, event.data.view);
    default:
      return state;
  }
}

/** Who has begun to walk is not taken elsewhere any more. */
function walked(state: ReviewState, view: Pick<SessionView, 'id' | 'node'>): ReviewState {
  const { openedAt } = state;
  if (openedAt === null || view.id !== state.id || view.node === openedAt) return state;
  return { ...state, openedAt: null };
}

function reviewed(state: ReviewState, arrived: Review): ReviewState {
  return arrived.session === state.id ? { ...state, review: arrived } : state;
}

/** A finished game opens on Coach, a position on Engines. */
export function panelOf(state: ReviewState, session: SessionView | null): Panel {
  if (state.panel !== null) return state.panel;
  return session !== null && session.isFinished ? 'coach' : 'engines';
}

/** The moves that gave something away, as the list shows them. */
export function mistakesOf(state: ReviewState, session: SessionView | null): ReviewedMove[] {
  const { review: found } = state;
  if (found === null || session === null) return [];
  const nodes = new Set(found.mistakes);
  const isListed = (move: ReviewedMove) => state.whose === 'both' || isOwn(move, session);
  const moves = found.moves.filter((move) => nodes.has(move.node) && isListed(move));
  return state.order === 'game' ? moves : moves.toSorted((a, b) => b.loss - a.loss);
}

export type TabName = Panel | Part;

export interface Tab {
  readonly name: TabName;
  readonly title: string;
  /** Shown beside the title if there is anything to count. */
  readonly count: number;
}

const TITLES: Record<Panel, string> = {
  coach: 'Coach',
  engines: 'Engines',
  explorer: 'Explorer',
  notes: 'Notes',
};

/** Panels as tabs. */
export function tabsFor(panels: readonly Panel[]): readonly Tab[] {
  return panels.map((name) => ({ name, title: TITLES[name], count: 0 }));
}

/** The tabs of Review. A phone shows the coach's panel in parts, and the moves beside the notes. */
export function tabsOf(phone: boolean, isTrying: boolean, nMistakes: number): readonly Tab[] {
  const panels = tabsFor(PANELS);
  if (!phone) return panels;
  const parts: readonly Tab[] = [
    { name: 'why', title: isTrying ? 'Try' : 'Why', count: 0 },
    { name: 'mistakes', title: 'Mistakes', count: nMistakes },
    { name: 'graph', title: 'Graph', count: 0 },
  ];
  const titles: Partial<Record<TabName, string>> = { engines: 'Lines', notes: 'Moves' };
  const others = panels.filter(({ name }) => name !== 'coach');
  return [...parts, ...others.map((it) => ({ ...it, title: titles[it.name] ?? it.title }))];
}

export function isPart(name: TabName): name is Part {
  return name === 'why' || name === 'mistakes' || name === 'graph';
}

/** The part that fits: what is to be tried or was asked, else how the game went. */
export function partOf(state: ReviewState, isAsked: boolean): Part {
  return state.part ?? (isAsked ? 'why' : 'graph');
}

/** Where the reader's biggest mistake was that is still to be tried: the place to begin with. */
export function biggestMistake(state: ReviewState, session: SessionView): number | null {
  const all = mistakesOf({ ...state, order: 'size', whose: 'mine' }, session);
  const own = all.find((it) => standingOf(it, session) === 'open') ?? all[0];
  return own === undefined ? null : (nodeOf(session, own.node)?.parent ?? null);
}

/** Whether the whole game is to be looked at by itself: it has ended, and nobody plays it. */
export function isReviewDue(
  state: ReviewState,
  session: SessionView,
  jobs: readonly Job[],
): boolean {
  if (session.game !== 'othello') return false;
  if (session.mode !== 'analyse' || !session.isFinished) return false;
  const isDone = state.review?.isComplete ?? false;
  return !isDone && runningReview(jobs, session.id) === null;
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
  const places = mistakesOf(state, session)
    .map((move) => session.line.indexOf(move.node) - 1)
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
