// The list of games.

import type { SessionSummary } from '../api/wire';
import type { Event } from './event';

export interface GamesState {
  /** Null before the first answer. */
  readonly games: readonly SessionSummary[] | null;
  /** Why there is no list, or no newer one. */
  readonly problem: string | null;
  /** The game that the person is asked about before it is deleted. */
  readonly deleting: string | null;
}

export const GAMES_START: GamesState = { games: null, problem: null, deleting: null };

export function games(state: GamesState, event: Event): GamesState {
  switch (event.type) {
    case 'gamesLoaded':
      return { games: event.games, problem: null, deleting: null };
    // The old list stays until there is a new one.
    case 'gamesFailed':
      return { ...state, problem: event.text };
    case 'askDelete':
      return { ...state, deleting: event.id };
    case 'routed':
      return state.deleting === null ? state : { ...state, deleting: null };
    default:
      return state;
  }
}
