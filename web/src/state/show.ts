// What a place draws, taken out of its state.

import type { Report, SessionView, Settings } from '../api/wire';
import type { CellLabel, OverlayView } from '../board/view';
import type { GameState } from './game';
import { labelsOf, withMobility } from './labels';
import { overlayView } from './overlays';
import type { PlayState } from './play';
import type { ReviewState } from './review';
import type { Place } from './route';
import { isHumanTurn } from './session';
import { nameOf, type SquareIndex } from './squares';
import type { ShownLine } from './types';

/** The report of the position on the board, if there is one. */
export function reportOf(game: GameState): Report | null {
  const { analysis, session } = game;
  return session !== null && analysis?.node === session.node ? analysis.report : null;
}

export function isAnalysing(game: GameState): boolean {
  return game.analysis?.status === 'running';
}

/** Whether values may be on the board: in Play the session decides, in Review the reader. */
export function showsValues(place: Place, game: GameState, review: ReviewState): boolean {
  if (game.session === null) return false;
  return place === 'review' ? review.valuesOnBoard : game.session.showValues;
}

export function canPlay(game: GameState): boolean {
  return game.session !== null && game.line === null && isHumanTurn(game.session);
}

export function showsWelcome(settings: Settings | null, play: PlayState): boolean {
  return (settings?.isFirstLaunch ?? false) && !play.welcomeClosed;
}

/** Why a square cannot be played on. */
export function whyNoMove(session: SessionView, square: SquareIndex): string {
  if (session.outcome !== null) return 'The game is over.';
  if (session.thinking || session.awaiting === 'engine') return 'It is the engine’s turn.';
  return `${nameOf(square)} is not a legal move.`;
}

const EMPTY_BOARD = '-'.repeat(64);

/** The discs to draw and the square to mark as the last move. */
export function discsOf(
  session: SessionView | null,
  line: ShownLine | null,
): { discs: string; last: SquareIndex | null } {
  const step = line?.steps[line.index - 1];
  if (line !== null) {
    const before = line.startBoard ?? session?.position.board ?? EMPTY_BOARD;
    return { discs: step?.position.board ?? before, last: step?.square ?? null };
  }
  return {
    discs: session?.position.board ?? EMPTY_BOARD,
    last: session?.lastMove?.square ?? null,
  };
}

/** The moves of a line that are on the board, by square. */
export function numbersOf(line: ShownLine | null): Map<SquareIndex, number> {
  const shown = line?.steps.slice(0, line.index) ?? [];
  return new Map(
    shown.flatMap((it, index) => (it.square === null ? [] : [[it.square, index + 1] as const])),
  );
}

/** Values as labels; with the mobility overlay they make room for its numbers. */
export function boardLabels(
  game: Pick<GameState, 'overlay' | 'overlays' | 'line'>,
  report: Report | null,
  values: boolean,
): Map<SquareIndex, CellLabel> {
  if (!values || report === null || game.line !== null) return new Map();
  const labels = labelsOf(report);
  return game.overlay === 'mobility' && game.overlays
    ? withMobility(labels, game.overlays.mobility)
    : labels;
}

export function boardOverlay(
  game: Pick<GameState, 'overlay' | 'overlays' | 'line' | 'session'>,
): OverlayView | null {
  if (game.line !== null || game.overlay === null || game.overlays === null) return null;
  return overlayView(game.overlay, game.overlays, game.session?.position.turn ?? null);
}

/** The square of a hint for the position on the board. */
export function hintSquare(game: GameState): SquareIndex | null {
  if (game.line !== null || game.hint === null || game.hint.node !== game.session?.node)
    return null;
  return game.hint.best?.square ?? null;
}
