// The whole of a window: one reducer for each place, and one for what is around them.

import type { SessionView } from '../api/wire';
import type { Event } from './event';
import { game, NO_GAME, type GameState } from './game';
import { games, GAMES_START, type GamesState } from './games';
import { play, PLAY_START, type PlayState } from './play';
import { review, REVIEW_START, type ReviewState } from './review';
import type { Route } from './route';
import { plural } from './numbers';
import { isNewPosition, sayPosition } from './say';
import { said, shell, SHELL_START, type ShellState } from './shell';

export interface State {
  readonly shell: ShellState;
  readonly game: GameState;
  readonly play: PlayState;
  readonly review: ReviewState;
  readonly games: GamesState;
}

export const START: State = {
  shell: SHELL_START,
  game: NO_GAME,
  play: PLAY_START,
  review: REVIEW_START,
  games: GAMES_START,
};

export function reduce(state: State, event: Event): State {
  const next: State = {
    shell: shell(state.shell, event),
    game: game(state.game, event),
    play: play(state.play, event),
    review: review(state.review, event),
    games: games(state.games, event),
  };
  const route = settled(next.shell.route, state.game.session, next.game.session);
  const around = route === next.shell.route ? next.shell : { ...next.shell, route };
  const sentence = toSay(state.game, next.game);
  return { ...next, shell: sentence === null ? around : said(around, sentence) };
}

/**
 * The address tells where the game stands. Whether a game is played or reviewed is the game's own:
 * if another window changes it, this one follows, because the same click would mean another thing.
 */
export function settled(
  route: Route,
  before: SessionView | null,
  after: SessionView | null,
): Route {
  if (after === null || after === before || !('id' in route) || route.id !== after.id) return route;
  const { id } = route;
  const known = before?.id === after.id;
  if (known && before.mode !== after.mode) {
    if (after.mode === 'play') return { place: 'play', id };
    const panel = route.place === 'review' ? route.panel : null;
    return { place: 'review', id, node: after.node, panel };
  }
  if (route.place !== 'review' || route.node === after.node) return route;
  // An address that names a position is on the way there.
  const moved = known && before.node !== after.node;
  return moved || route.node === null ? { ...route, node: after.node } : route;
}

/** What a screen reader should say about a change of the game; null is nothing. */
export function toSay(before: GameState, after: GameState): string | null {
  const { session } = after;
  if (session !== null && session !== before.session) {
    if (isNewPosition(before.session, session)) return sayPosition(session, before.session);
    if (before.session?.outcome === null && session.outcome !== null) return session.outcome.text;
  }
  if (after.line !== null && after.line !== before.line) {
    if (before.line?.steps !== after.line.steps) {
      const length = plural(after.line.steps.length, 'move');
      return `Showing a line of ${length}. Escape returns to the game.`;
    }
    const at = after.line.steps[after.line.index - 1];
    return at === undefined ? 'Before the line' : `Line: ${at.side} ${at.move}`;
  }
  if (after.overlay !== before.overlay) {
    return after.overlay === null ? 'Overlay off' : `Overlay ${after.overlay}`;
  }
  return null;
}
