// The game on the board, as Play and Review share it. It belongs to one session: that of the
// window's address. What other windows do with other games passes by.

import type {
  AnalysisState,
  Hint,
  OverlayName,
  Overlays,
  ServerEvent,
  SessionView,
} from '../api/wire';
import type { Event } from './event';
import { sessionOf } from './route';
import { isNewPosition } from './say';
import { newerAnalysis, newerView, patched, withAnalysis } from './session';
import type { Busy, ShownLine, Why } from './types';

export interface GameState {
  /** The session of the address; null where there is no board. */
  readonly id: string | null;
  readonly session: SessionView | null;
  /** When the clocks of the session were read, in the browser's time. */
  readonly readAt: number;
  /** Why there is no session, if it is not there. */
  readonly missing: string | null;
  readonly analysis: AnalysisState | null;
  /** What every engine says that looks at this game, our own among them. */
  readonly analyses: readonly AnalysisState[];
  readonly overlay: OverlayName | null;
  readonly lastOverlay: OverlayName;
  readonly overlays: Overlays | null;
  readonly hint: Hint | null;
  readonly why: Why | null;
  /** The chosen reason of the answer. */
  readonly reason: number | null;
  readonly line: ShownLine | null;
  readonly busy: Readonly<Record<Busy, boolean>>;
}

export const NO_GAME: GameState = {
  id: null,
  session: null,
  readAt: 0,
  missing: null,
  analysis: null,
  analyses: [],
  overlay: null,
  lastOverlay: 'mobility',
  overlays: null,
  hint: null,
  why: null,
  reason: null,
  line: null,
  busy: { hint: false, best: false },
};

export function game(state: GameState, event: Event): GameState {
  switch (event.type) {
    case 'routed':
      return routed(state, sessionOf(event.route));
    case 'viewed':
      return viewed(state, event.view, event.at);
    case 'server':
      return server(state, event.event, event.at);
    case 'missing':
      return event.id === state.id ? { ...state, session: null, missing: event.text } : state;
    case 'gameDeleted':
      return deleted(state, event.id);
    case 'analysed':
      return analysed(state, event.analysis);
    case 'connection':
      return event.state === 'lost' ? lost(state) : state;
    case 'overlay':
      return overlay(state, event.name ?? state.overlay ?? state.lastOverlay);
    case 'overlaysLoaded':
      return isHere(state, event.session, event.overlays.node)
        ? { ...state, overlays: event.overlays }
        : state;
    case 'overlaysFailed':
      return { ...state, overlay: null };
    case 'busy':
      return { ...state, busy: { ...state.busy, [event.what]: event.on } };
    case 'hinted':
      return state.session?.node === event.hint.node ? { ...state, hint: event.hint } : state;
    case 'whyAsked':
      return { ...state, why: event.why, reason: null, line: null };
    case 'whyAnswered':
      return state.why === event.asked ? { ...state, why: event.answer } : state;
    case 'closeWhy':
      return { ...state, why: null, reason: null, line: null };
    case 'reason':
      return { ...state, reason: event.index, line: null };
    case 'lineShown':
      return { ...state, line: event.line };
    case 'lineTo':
      return lineTo(state, event.index);
    case 'closeLine':
      return state.line === null ? state : { ...state, line: null };
    default:
      return state;
  }
}

/** The way out to Games and back leaves the board as it was; another game begins anew. */
function routed(state: GameState, id: string | null): GameState {
  if (id === null || id === state.id) return state;
  return { ...NO_GAME, id, overlay: state.overlay, lastOverlay: state.lastOverlay };
}

function viewed(state: GameState, arrived: SessionView, at: number): GameState {
  if (arrived.id !== state.id) return state;
  const before = state.session;
  const session = newerView(before, arrived);
  if (session === before) {
    // A search may end without a new revision. A stream that begins afterwards tells of it by this
    // view alone.
    const isSame = arrived.revision === before.revision;
    return isSame ? arrived.analyses.reduce(analysed, state) : state;
  }
  const shown: GameState = { ...state, session, readAt: at, missing: null };
  const next = session.analyses.reduce(analysed, shown);
  if (!isNewPosition(before, session)) return next;
  const why = state.why !== null && state.why.askedAt === session.node ? state.why : null;
  return {
    ...next,
    hint: null,
    overlays: null,
    line: null,
    why,
    reason: why === null ? null : state.reason,
  };
}

/** A board without its game says so, and keeps nothing of it. */
function deleted(state: GameState, id: string): GameState {
  if (id !== state.id) return state;
  return {
    ...NO_GAME,
    id,
    overlay: state.overlay,
    lastOverlay: state.lastOverlay,
    missing: 'This game was deleted.',
  };
}

function analysed(state: GameState, arrived: AnalysisState): GameState {
  if (arrived.session !== state.id) return state;
  const analysis = newerAnalysis(state.analysis, arrived, state.session);
  const analyses = withAnalysis(state.analyses, arrived);
  const same = analysis === state.analysis && analyses === state.analyses;
  return same ? state : { ...state, analysis, analyses };
}

/**
 * A search of a program that may have ended. The next one counts from the beginning: whatever it says
 * is newer.
 */
function orphaned(it: AnalysisState): AnalysisState {
  return { ...it, generation: -1, status: it.status === 'running' ? 'stopped' : it.status };
}

function lost(state: GameState): GameState {
  const analysis = state.analysis && orphaned(state.analysis);
  return { ...state, analysis, analyses: state.analyses.map(orphaned) };
}

function server(state: GameState, event: ServerEvent, at: number): GameState {
  switch (event.type) {
    case 'session':
      return viewed(state, event.data, at);
    case 'patch': {
      const view = patched(state.session, event.data);
      return view === null ? state : viewed(state, view, at);
    }
    case 'deleted':
      return deleted(state, event.data.session);
    case 'analysis':
      return analysed(state, event.data);
    case 'clock':
      if (state.session === null || event.data.session !== state.id) return state;
      return { ...state, session: { ...state.session, clock: event.data.clock }, readAt: at };
    default:
      return state;
  }
}

function overlay(state: GameState, name: OverlayName): GameState {
  const on = state.overlay !== name;
  return { ...state, overlay: on ? name : null, lastOverlay: name };
}

function lineTo(state: GameState, wanted: number): GameState {
  const { line } = state;
  if (line === null) return state;
  return { ...state, line: { ...line, index: Math.max(0, Math.min(line.steps.length, wanted)) } };
}

function isHere(state: GameState, session: string, node: number): boolean {
  return state.id === session && state.session?.node === node;
}
