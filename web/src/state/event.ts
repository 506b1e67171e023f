// Everything that can happen to a window. A reducer takes what concerns its place and leaves the
// rest; none of them asks the clock, the server or the browser for anything.

import type {
  About,
  AnalysisState,
  Attempt,
  Hint,
  Level,
  OverlayName,
  Overlays,
  Review,
  ServerEvent,
  SessionSummary,
  SessionView,
  Settings,
  Worth,
} from '../api/wire';
import type { Part } from './review';
import type { Panel, Route } from './route';
import type { Busy, Connection, DialogName, Import, ShownLine, Testing, Toast, Why } from './types';

/** What a person does that only this window needs to know. */
export type UiEvent =
  | { type: 'dialog'; name: DialogName | null }
  | { type: 'dismiss'; toast: number }
  /** Switches an overlay on, or off if it is on; without a name the last one. */
  | { type: 'overlay'; name: OverlayName | null }
  | { type: 'lineTo'; index: number }
  | { type: 'closeLine' }
  | { type: 'closeWhy' }
  | { type: 'panel'; panel: Panel }
  | { type: 'mistakeOrder'; order: 'size' | 'game' }
  | { type: 'mistakesOf'; whose: 'mine' | 'both' }
  /** What a phone shows of the coach's panel; null is what fits. */
  | { type: 'part'; part: Part | null }
  | { type: 'askDelete'; id: string | null }
  | { type: 'askRename'; id: string | null }
  | { type: 'said'; text: string };

export type Event =
  | UiEvent
  | { type: 'server'; event: ServerEvent; at: number }
  | { type: 'connection'; state: Connection }
  | { type: 'routed'; route: Route }
  /** A view that a request answered; `at` is the browser's time. */
  | { type: 'viewed'; view: SessionView; at: number }
  /** The session of the route is not there. */
  | { type: 'missing'; id: string; text: string }
  | { type: 'analysed'; analysis: AnalysisState }
  | { type: 'overlaysLoaded'; session: string; overlays: Overlays }
  | { type: 'overlaysFailed' }
  | { type: 'busy'; what: Busy; on: boolean }
  | { type: 'hinted'; hint: Hint }
  | { type: 'whyAsked'; why: Why }
  /** Counts only if the question still stands as it was asked. */
  | { type: 'whyAnswered'; asked: Why; answer: Why }
  | { type: 'reason'; index: number | null }
  | { type: 'lineShown'; line: ShownLine }
  | { type: 'valuesOnBoard'; on: boolean }
  | { type: 'welcomed' }
  | { type: 'settings'; settings: Settings }
  | { type: 'levels'; levels: readonly Level[] }
  | { type: 'you'; you: Worth | null }
  | { type: 'about'; about: About }
  /** The server did not take a change of the engine. */
  | { type: 'engineRefused'; text: string }
  | { type: 'testing'; state: Testing }
  | { type: 'import'; state: Import | null }
  | { type: 'reviewed'; review: Review }
  | { type: 'attempted'; node: number; attempt: Attempt }
  | { type: 'lookedAt'; node: number; squares: readonly number[] }
  /** The answer at a mistake is hidden again. */
  | { type: 'triedAnew'; node: number }
  /** The reader was taken to a mistake without asking for it. */
  | { type: 'opened'; node: number | null }
  | { type: 'gamesLoaded'; games: readonly SessionSummary[] }
  | { type: 'gamesFailed'; text: string }
  | { type: 'gameDeleted'; id: string }
  | { type: 'gameRenamed'; id: string; title: string | null }
  | { type: 'gameRefused'; id: string; text: string }
  | { type: 'told'; level: Toast['level']; text: string };
