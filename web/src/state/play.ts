// What Play alone knows: whether the welcome was put away.

import type { Blunder } from '../api/wire';
import type { Event } from './event';
import type { GameState } from './game';

export interface PlayState {
  readonly welcomeClosed: boolean;
}

export const PLAY_START: PlayState = { welcomeClosed: false };

export function play(state: PlayState, event: Event): PlayState {
  return event.type === 'welcomed' ? { ...state, welcomeClosed: true } : state;
}

/** The move to ask about: the one of the view, unless a line is looked at. */
export function blunderOf(game: GameState): Blunder | null {
  return game.line === null ? (game.session?.blunder ?? null) : null;
}
