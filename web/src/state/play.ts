// What Play alone knows: whether the welcome and the card after a blunder were put away.

import type { Blunder } from '../api/wire';
import type { Event } from './event';
import type { GameState } from './game';
import { sessionOf } from './route';

export interface PlayState {
  readonly id: string | null;
  readonly welcomeClosed: boolean;
  /** The node of the blunder whose card was put away. */
  readonly blunderClosed: number | null;
}

export const PLAY_START: PlayState = { id: null, welcomeClosed: false, blunderClosed: null };

export function play(state: PlayState, event: Event): PlayState {
  switch (event.type) {
    case 'routed': {
      const id = sessionOf(event.route);
      return id === null || id === state.id ? state : { ...state, id, blunderClosed: null };
    }
    case 'closeBlunder':
      return { ...state, blunderClosed: event.node };
    case 'welcomed':
      return { ...state, welcomeClosed: true };
    default:
      return state;
  }
}

/** The blunder to speak of, if there is one and its card was not put away. */
export function blunderOf(state: PlayState, game: GameState): Blunder | null {
  const blunder = game.session?.blunder ?? null;
  return blunder === null || blunder.node === state.blunderClosed ? null : blunder;
}
