// Tournaments of a window: the list, the one that is shown, its boards; and what is said about them.
// Plain data in, plain data out.

import type {
  GameKind,
  TournamentBoard,
  TournamentBoards,
  TournamentCurve,
  TournamentGames,
  TournamentIncident,
  TournamentState,
  TournamentSummary,
  TournamentVerdict,
  TournamentView,
} from '../api/wire';
import { plural } from './numbers';

/** The finished games of two engines, or those that an engine lost by a fault. */
export type GamesWish =
  | { readonly of: 'pair'; readonly players: readonly [number, number] }
  | { readonly of: 'faults' }
  | { readonly of: 'all' };

export interface ShownGames {
  readonly wish: GamesWish;
  /** Null while they are on their way. */
  readonly found: TournamentGames | null;
}

export interface TournamentsView {
  /** Null until it was asked for. */
  readonly list: readonly TournamentSummary[] | null;
  /** The tournament of the address. */
  readonly id: number | null;
  readonly view: TournamentView | null;
  readonly boards: readonly TournamentBoard[];
  /** The board that is enlarged, by its worker. */
  readonly enlarged: number | null;
  readonly onlyFaults: boolean;
  readonly games: ShownGames | null;
  /** The engine whose interval the curve shows. */
  readonly marked: number;
  readonly problem: string;
}

export const TOURNAMENTS_START: TournamentsView = {
  list: null,
  id: null,
  view: null,
  boards: [],
  enlarged: null,
  onlyFaults: false,
  games: null,
  marked: 0,
  problem: '',
};

export type TournamentEvent =
  | { type: 'listed'; list: readonly TournamentSummary[] }
  | { type: 'entered'; id: number | null }
  | { type: 'viewed'; view: TournamentView }
  | { type: 'boarded'; id: number; boards: TournamentBoards }
  | { type: 'failed'; text: string }
  | { type: 'enlarge'; worker: number | null }
  | { type: 'onlyFaults'; on: boolean }
  | { type: 'gamesAsked'; wish: GamesWish }
  | { type: 'gamesFound'; wish: GamesWish; found: TournamentGames }
  | { type: 'moreGamesFound'; wish: GamesWish; found: TournamentGames }
  | { type: 'gamesClosed' }
  | { type: 'mark'; player: number };

export function tournaments(state: TournamentsView, event: TournamentEvent): TournamentsView {
  switch (event.type) {
    case 'listed':
      return { ...state, list: event.list, problem: '' };
    case 'entered':
      return event.id === state.id
        ? state
        : { ...TOURNAMENTS_START, list: state.list, id: event.id };
    case 'viewed': {
      const { id } = event.view.summary;
      // The answer to a question about another tournament.
      if (id !== state.id) return state;
      const boards = isAlive(event.view.summary.state) ? state.boards : [];
      return { ...state, view: event.view, boards, problem: '' };
    }
    case 'boarded':
      return event.id === state.id ? { ...state, boards: event.boards.boards } : state;
    case 'failed':
      return { ...state, problem: event.text };
    case 'enlarge':
      return { ...state, enlarged: event.worker };
    case 'onlyFaults':
      return { ...state, onlyFaults: event.on };
    case 'gamesAsked':
      return { ...state, games: { wish: event.wish, found: null } };
    case 'gamesFound':
      return state.games?.wish === event.wish
        ? { ...state, games: { wish: event.wish, found: event.found } }
        : state;
    case 'moreGamesFound':
      return state.games?.wish === event.wish && state.games.found !== null
        ? { ...state, games: { wish: event.wish, found: joined(state.games.found, event.found) } }
        : state;
    case 'gamesClosed':
      return { ...state, games: null };
    case 'mark':
      return { ...state, marked: event.player };
  }
}

/** Older games behind newer ones. Games that were finished meanwhile shift the list: none comes twice. */
function joined(shown: TournamentGames, more: TournamentGames): TournamentGames {
  const known = new Set(shown.games.map((it) => `${it.pair}.${it.game}`));
  const older = more.games.filter((it) => !known.has(`${it.pair}.${it.game}`));
  return { ...more, games: [...shown.games, ...older] };
}

/** Whether it changes: games are played here, or by another program. */
export const isMoving = (state: TournamentState): boolean =>
  isAlive(state) || state === 'elsewhere';

/** Whether games of it are played here, or wait to be. */
export function isAlive(state: TournamentState): boolean {
  return state === 'running' || state === 'paused' || state === 'finishing';
}

const STATES: Record<TournamentState, string> = {
  running: 'running',
  paused: 'paused',
  finishing: 'stops after these games',
  stopped: 'stopped, can be resumed',
  finished: 'finished',
  decided: 'decided',
  elsewhere: 'played by another program',
};

export const stateText = (state: TournamentState): string => STATES[state];

/** `615 of 900 games`, as far as pairs tell. */
export function gamesText({ pairs, pairsAsked, games }: TournamentSummary): string {
  const each = pairs > 0 ? games / pairs : 2;
  return `${games} of ${Math.round(pairsAsked * each)} games`;
}

const MINUS = '\u2212';

/** `+84`, `−13`, `0`. */
export function signed(value: number, digits = 0): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return value < 0 ? `${MINUS}${text}` : `+${text}`;
}

export function percent(share: number | null): string {
  if (share === null) return '–';
  const value = 100 * share;
  // Nobody is certain.
  if (value > 99.9) return '> 99.9 %';
  return `${value >= 99 || value < 1 ? value.toFixed(1) : Math.round(value)} %`;
}

/** `10.4 ms`, `1.2 s`. */
export function duration(ms: number): string {
  if (ms < 100) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

export interface Whisker {
  /** Places on a scale of 0 to 100: the zero line, the interval's ends, the value. */
  readonly zero: number;
  readonly low: number;
  readonly high: number;
  readonly at: number;
}

/** One scale for all whiskers of a table, such that every interval fits. */
export function whiskers(
  rows: readonly { elo: number | null; eloError: number | null }[],
): (Whisker | null)[] {
  const ends = rows.flatMap(({ elo, eloError }) =>
    elo === null ? [] : [elo - (eloError ?? 0), elo + (eloError ?? 0)],
  );
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const span = Math.max(1, high - low);
  const place = (value: number) => (100 * (value - low)) / span;
  return rows.map(({ elo, eloError }) =>
    elo === null
      ? null
      : {
          zero: place(0),
          low: place(elo - (eloError ?? 0)),
          high: place(elo + (eloError ?? 0)),
          at: place(elo),
        },
  );
}

/** The question that a test asks, and how often its answer may be wrong. */
export function testWords(
  engines: readonly string[],
  { elo0, elo1, alpha, beta }: TournamentVerdict,
): { question: string; note: string; yes: string; no: string } {
  const [a = 'the first', b = 'the second'] = engines;
  const wrong = Math.max(alpha, beta);
  const times = wrong > 0 ? Math.round(1 / wrong) : 0;
  return {
    question: `Is ${a} better than ${b}?`,
    note: `By ${elo1} Elo, or by no more than ${elo0}? Wrong at most one time in ${times}. It stops by itself at a dashed line.`,
    yes: `yes: better by ${elo1} or more`,
    no: elo0 === 0 ? 'no: not better' : `no: better by no more than ${elo0}`,
  };
}

export function verdictText({ decided }: TournamentVerdict): string {
  if (decided === null) return 'not decided';
  return decided ? 'yes' : 'no';
}

/** What a curve shows, for those who do not see it. */
export function curveText(title: string, curve: TournamentCurve): string {
  const value = curve.values.at(-1);
  const pairs = curve.pairs.at(-1);
  if (value === undefined || pairs === undefined) return `${title}: nothing yet.`;
  const error = curve.errors.at(-1);
  const interval = error == null ? '' : ` plus or minus ${error.toFixed(0)}`;
  return `${title}: ${signed(value, error == null ? 2 : 0)}${interval} after ${plural(pairs, 'pair')}.`;
}

/** Incidents that are shown, and how many there are of each kind. */
export function incidents(
  all: readonly TournamentIncident[],
  onlyFaults: boolean,
): readonly TournamentIncident[] {
  return onlyFaults ? all.filter((it) => it.isFault) : all;
}

/** The value that an engine gives, seen by Black in Othello and by White in chess. */
export function boardValue(
  game: GameKind,
  mover: 'black' | 'white',
  score: number | undefined,
): string {
  if (score === undefined) return '–';
  const front = game === 'chess' ? 'white' : 'black';
  return signed((mover === front ? score : -score) / 100, 1);
}

/** `game 616`, counted over all pairs. */
export function gameNumber(board: Pick<TournamentBoard, 'pair' | 'game'>, perPair: number): number {
  return board.pair * perPair + board.game + 1;
}
