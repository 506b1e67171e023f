// The list of games.

import type { ServerEvent, SessionSummary } from '../api/wire';
import type { Event } from './event';

export interface GamesState {
  /** Null before the first answer. */
  readonly games: readonly SessionSummary[] | null;
  /** Why there is no list, or no newer one. */
  readonly problem: string | null;
  /** The game that the person is asked about before it is deleted. */
  readonly deleting: string | null;
  /** The game whose title is being written. */
  readonly renaming: string | null;
  /** Why the server did not delete or rename; shown where the person asked for it. */
  readonly refusal: string | null;
}

export const GAMES_START: GamesState = {
  games: null,
  problem: null,
  deleting: null,
  renaming: null,
  refusal: null,
};

/** No question is open. */
const ASKED_NOTHING = { deleting: null, renaming: null, refusal: null } as const;

export function games(state: GamesState, event: Event): GamesState {
  switch (event.type) {
    case 'gamesLoaded':
      return { ...GAMES_START, games: event.games };
    // The old list stays until there is a new one.
    case 'gamesFailed':
      return { ...state, problem: event.text };
    case 'askDelete':
      return { ...state, ...ASKED_NOTHING, deleting: event.id };
    case 'askRename':
      return { ...state, ...ASKED_NOTHING, renaming: event.id };
    case 'gameRefused':
      return isAsked(state, event.id) ? { ...state, refusal: event.text } : state;
    case 'gameRenamed': {
      const next = retitled(state, event.id, event.title);
      return next.renaming === event.id ? { ...next, ...ASKED_NOTHING } : next;
    }
    case 'gameDeleted':
      return without(state, event.id);
    case 'server':
      return server(state, event.event);
    case 'routed':
      return state.deleting === null && state.renaming === null
        ? state
        : { ...state, ...ASKED_NOTHING };
    default:
      return state;
  }
}

/** What to call a game in the list. */
export function titleOf(game: SessionSummary): string {
  if (game.title !== null) return game.title;
  if (!game.isUsable) return `File ${game.id}`;
  if (game.players !== null) return game.players.join(' – ');
  return `${game.mode === 'play' ? 'Game' : 'Review'} ${game.id}`;
}

function server(state: GamesState, event: ServerEvent): GamesState {
  switch (event.type) {
    case 'deleted':
      return without(state, event.data.session);
    case 'session':
      return retitled(state, event.data.id, event.data.title);
    case 'patch':
      return retitled(state, event.data.view.id, event.data.view.title);
    case 'current':
      return mapped(state, (it) => ({ ...it, isCurrent: it.id === event.data.session }));
    default:
      return state;
  }
}

function mapped(state: GamesState, to: (game: SessionSummary) => SessionSummary): GamesState {
  return state.games === null ? state : { ...state, games: state.games.map(to) };
}

function retitled(state: GamesState, id: string, title: string | null): GamesState {
  if (!state.games?.some((it) => it.id === id && it.title !== title)) return state;
  return mapped(state, (it) => (it.id === id ? { ...it, title } : it));
}

/** A question about a game that is gone goes with it. */
function without(state: GamesState, id: string): GamesState {
  return {
    ...state,
    ...(isAsked(state, id) ? ASKED_NOTHING : {}),
    games: state.games?.filter((it) => it.id !== id) ?? null,
  };
}

function isAsked(state: GamesState, id: string): boolean {
  return state.deleting === id || state.renaming === id;
}
