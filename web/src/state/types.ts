// Shapes of what this window alone knows; what the server knows has the shapes of the wire.

import type { Explanation, ImportResult, PreviewStep, SelfTest } from '../api/wire';

export type DialogName =
  | 'newGame'
  | 'newChess'
  | 'playHere'
  | 'setUp'
  | 'settings'
  | 'help'
  | 'paste'
  | 'copy'
  | 'more'
  | 'overlays'
  | 'jobs';

/** A question about a move and its answer. */
export interface Why {
  /** The position that it is about. */
  node: number;
  /** The move that was asked about; null asks why the best one is best. */
  move: string | null;
  /** Where the reader was: going elsewhere puts the card away. */
  askedAt: number;
  state: 'loading' | 'ready' | 'failed';
  explanation: Explanation | null;
  problem: string;
}

/** A line that is looked at without being played. */
export interface ShownLine {
  title: string;
  node: number;
  steps: readonly PreviewStep[];
  /** How many of its moves are on the board; 0 is the position before it. */
  index: number;
  /** The discs before it. */
  startBoard: string | null;
}

export interface Toast {
  id: number;
  level: 'info' | 'warning' | 'error';
  text: string;
}

export interface Import {
  state: 'reading' | 'read' | 'failed';
  result: ImportResult | null;
  problem: string;
}

/** The self-test that the person asked for. */
export type Testing =
  { state: 'running' } | { state: 'done'; result: SelfTest } | { state: 'failed'; problem: string };

export type Connection =
  | 'connecting'
  | 'open'
  | 'lost'
  | 'ended'
  /** The program was started again and does not know this browser any more. */
  | 'restarted'
  /** The program has another page than this one. */
  | 'old'
  | 'denied';

/** What the person waits for; shown where the button was. */
export type Busy = 'hint' | 'best';
