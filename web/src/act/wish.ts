// Everything that a person can wish for. Views send wishes and know nothing of requests.

import type { Glyph, ImportResult, NewGame, SettingsChange, Step } from '../api/wire';
import type { UiEvent } from '../state/event';
import type { Route } from '../state/route';
import type { SquareIndex } from '../state/squares';
import type { Toast } from '../state/types';

/** Wishes that need the server, the address bar or the clock. */
export type Request =
  | { type: 'go'; route: Route }
  | { type: 'tell'; text: string; level?: Toast['level'] }
  // Moves.
  | { type: 'playSquare'; square: SquareIndex }
  /** A move in coordinates, as the server listed it. */
  | { type: 'playMove'; move: string }
  | { type: 'pass' }
  /** The game against an engine is given up. */
  | { type: 'resign' }
  | { type: 'claimDraw' }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'goto'; node: number }
  | { type: 'step'; step: Step }
  | { type: 'best' }
  | { type: 'engineMove' }
  | { type: 'moveNow' }
  | { type: 'level'; level: string }
  | { type: 'comment'; node: number; text: string }
  | { type: 'glyphs'; node: number; glyphs: Glyph[] }
  | { type: 'promote'; node: number }
  | { type: 'deleteNode'; node: number }
  // Engine and coach.
  | { type: 'toggleAnalysis' }
  | { type: 'startEngine'; engine: string; lines: number; only: readonly string[] }
  /** One engine, or all. */
  | { type: 'stopEngines'; engine: string | null }
  | { type: 'freeze'; frozen: boolean }
  /** An engine values every position of the game. */
  | { type: 'valueGame'; engine: string }
  | { type: 'toggleValues' }
  | { type: 'hint' }
  /** *Why not here?* for a legal square, *why?* for the best move without one. */
  | { type: 'whySquare'; square: SquareIndex | null }
  | { type: 'why'; node: number; move: string | null }
  | { type: 'chooseReason'; index: number }
  | { type: 'showLine'; title: string; node: number; moves: readonly string[]; index?: number }
  | { type: 'showBlunder' }
  // Mistakes.
  | { type: 'attempt'; move: string }
  | { type: 'whereToLook' }
  | { type: 'showAnswer' }
  /** Hides the answer at a mistake again. */
  | { type: 'tryAnew'; node: number }
  /** The last move stands, although it costs much. */
  | { type: 'keepMove' }
  | { type: 'askNoMore' }
  /** Keeps the line that is looked at as a variation. */
  | { type: 'keepLine' }
  | { type: 'startReview' }
  | { type: 'mistake'; forward: boolean }
  | { type: 'job'; id: number; wish: 'cancel' | 'pause' | 'resume' }
  // Games.
  | { type: 'newGame'; wish: NewGame }
  /** Goes on from the position shown, in a game of its own. */
  | { type: 'playHere'; wish: NewGame }
  | { type: 'welcome'; level: string }
  | { type: 'read'; content: Blob | string; name?: string }
  | { type: 'readFiles'; files: readonly File[] }
  | { type: 'openImported'; result: ImportResult; game: number }
  | { type: 'loadGames' }
  | { type: 'deleteGame'; id: string }
  /** An empty title takes it away. */
  | { type: 'renameGame'; id: string; title: string }
  // Settings.
  | { type: 'setting'; change: SettingsChange }
  | { type: 'loadAbout' }
  | { type: 'selfTest' };

export type Wish = UiEvent | Request;
export type Send = (wish: Wish) => void;

/** What the wishes of one kind lead to. */
export type Handlers<T extends Request['type']> = {
  [K in T]: (wish: Extract<Request, { type: K }>) => void | Promise<void>;
};
