// The collection as a window shows it: the filters, the list as far as it was fetched, the board
// that is a filter, imports. Functions on plain data; requests are `act/library`'s.

import type {
  ExploredPosition,
  FileImport,
  GameDetails,
  GameRow,
  GamesFound,
  GamesOrder,
  LibraryState as Collection,
} from '../api/wire';
import { queryText, withFilters, type Filter } from './query';

/** Games that are fetched together. */
export const PAGE = 100;
/** Pages that stay in memory. */
const PAGES_KEPT = 40;

export type Brush = 'X' | 'O' | '-' | '?';
const NOTHING_PAINTED = '?'.repeat(64);

/** The small board: a position with the moves that lead there, or squares that are painted. */
export interface BoardFilter {
  readonly on: boolean;
  readonly mode: 'whole' | 'part';
  /** Null is the usual start. */
  readonly start: string | null;
  readonly moves: readonly string[];
  /** So many of the moves are played. */
  readonly at: number;
  /** 64 squares: black, white, empty, any. */
  readonly painted: string;
  readonly brush: Brush;
}

export type LibraryDialog = 'filter' | 'save' | 'tag' | 'export' | 'delete';

export interface LibraryView {
  /** Null before the first answer. */
  readonly collection: Collection | null;
  readonly filters: readonly Filter[];
  readonly order: GamesOrder;
  readonly board: BoardFilter;
  readonly explored: ExploredPosition | null;
  /** Null before the first answer. */
  readonly total: number | null;
  readonly tookUs: number;
  readonly pages: ReadonlyMap<number, readonly GameRow[]>;
  /** Whether a newer list is on its way; the old one stays until it is there. */
  readonly loading: boolean;
  /** Why there is no list, or no newer one. */
  readonly problem: string | null;
  /** Grows with every change of what is looked for: answers to older questions are dropped. */
  readonly asked: number;
  /** The row of the keyboard. */
  readonly cursor: number;
  /** Chosen games, with what a dialog says of them. */
  readonly selected: ReadonlyMap<number, GameRow>;
  readonly imports: readonly FileImport[] | null;
  /** Files on their way to the program. */
  readonly sending: readonly string[];
  readonly details: GameDetails | null;
  readonly dialog: LibraryDialog | null;
  /** Why the last wish of a dialog was refused. */
  readonly refusal: string | null;
}

export const LIBRARY_START: LibraryView = {
  collection: null,
  filters: [],
  order: 'newest',
  board: {
    on: false,
    mode: 'whole',
    start: null,
    moves: [],
    at: 0,
    painted: NOTHING_PAINTED,
    brush: 'X',
  },
  explored: null,
  total: null,
  tookUs: 0,
  pages: new Map(),
  loading: false,
  problem: null,
  asked: 0,
  cursor: 0,
  selected: new Map(),
  imports: null,
  sending: [],
  details: null,
  dialog: null,
  refusal: null,
};

export type LibraryEvent =
  | { type: 'collection'; collection: Collection }
  // What is looked for.
  | { type: 'addFilters'; filters: readonly Filter[] }
  | { type: 'dropFilter'; filter: Filter }
  | { type: 'setFilters'; filters: readonly Filter[] }
  | { type: 'order'; order: GamesOrder }
  | { type: 'boardOn'; on: boolean }
  | { type: 'boardMode'; mode: BoardFilter['mode'] }
  | { type: 'boardPlay'; move: string }
  | { type: 'boardTo'; at: number }
  | { type: 'boardStart'; start: string | null }
  | { type: 'brush'; brush: Brush }
  | { type: 'paint'; square: number }
  | { type: 'clearBoard' }
  /** Ask again, although nothing was changed here: games came or went. */
  | { type: 'again' }
  // Answers; `asked` says to which question.
  | { type: 'explored'; asked: number; explored: ExploredPosition }
  | { type: 'found'; asked: number; page: number; found: GamesFound }
  | { type: 'failed'; asked: number; text: string }
  // The list.
  | { type: 'cursor'; at: number }
  | { type: 'select'; game: GameRow }
  | { type: 'unselectAll' }
  | { type: 'gone'; games: readonly number[] }
  | { type: 'tagged'; games: readonly number[]; tag: string; isSet: boolean }
  // The rest.
  | { type: 'imports'; imports: readonly FileImport[] }
  | { type: 'sending'; name: string; on: boolean }
  | { type: 'details'; details: GameDetails | null }
  | { type: 'dialog'; name: LibraryDialog | null }
  | { type: 'refused'; text: string };

/** Events after which the list is another one. */
const SEARCHES: ReadonlySet<LibraryEvent['type']> = new Set([
  'addFilters',
  'dropFilter',
  'setFilters',
  'order',
  'boardOn',
  'boardMode',
  'boardPlay',
  'boardTo',
  'boardStart',
  'paint',
  'clearBoard',
  'again',
]);

export function library(state: LibraryView, event: LibraryEvent): LibraryView {
  const next = changed(state, event);
  if (next === state && event.type !== 'again') return state;
  if (!SEARCHES.has(event.type)) return next;
  const cursor = event.type === 'again' ? next.cursor : 0;
  return { ...next, asked: state.asked + 1, loading: true, problem: null, cursor };
}

function changed(state: LibraryView, event: LibraryEvent): LibraryView {
  switch (event.type) {
    case 'collection':
      return { ...state, collection: event.collection };
    case 'addFilters':
      return { ...state, filters: withFilters(state.filters, event.filters) };
    case 'dropFilter':
      return { ...state, filters: state.filters.filter((it) => it !== event.filter) };
    case 'setFilters':
      return { ...state, filters: event.filters };
    case 'order':
      return { ...state, order: event.order };
    case 'explored':
      return event.asked === state.asked ? { ...state, explored: event.explored } : state;
    case 'found':
      return event.asked === state.asked ? found(state, event.page, event.found) : state;
    case 'failed':
      return event.asked === state.asked
        ? { ...state, loading: false, problem: event.text }
        : state;
    case 'cursor':
      return { ...state, cursor: clamp(event.at, state.total ?? 0) };
    case 'select':
      return { ...state, selected: toggled(state.selected, event.game) };
    case 'unselectAll':
      return { ...state, selected: new Map() };
    case 'gone':
      return { ...state, selected: new Map(), dialog: null, refusal: null };
    case 'tagged':
      return tagged(state, event);
    case 'imports':
      return { ...state, imports: event.imports };
    case 'sending': {
      const others = state.sending.filter((it) => it !== event.name);
      return { ...state, sending: event.on ? [...others, event.name] : others };
    }
    case 'details':
      return { ...state, details: event.details };
    case 'dialog':
      return { ...state, dialog: event.name, refusal: null };
    case 'refused':
      return { ...state, refusal: event.text };
    case 'again':
      return state;
    default: {
      const board = boardAfter(state.board, event);
      return board === state.board ? state : { ...state, board };
    }
  }
}

type BoardEvent = Extract<
  LibraryEvent,
  {
    type:
      | 'boardOn'
      | 'boardMode'
      | 'boardPlay'
      | 'boardTo'
      | 'boardStart'
      | 'brush'
      | 'paint'
      | 'clearBoard';
  }
>;

function boardAfter(board: BoardFilter, event: BoardEvent): BoardFilter {
  switch (event.type) {
    case 'boardOn':
      return { ...board, on: event.on };
    case 'boardMode':
      return { ...board, mode: event.mode };
    case 'boardPlay': {
      // The way that was taken before stays, if the move goes along it.
      const goesAlong = board.moves[board.at] === event.move;
      const moves = goesAlong ? board.moves : [...board.moves.slice(0, board.at), event.move];
      return { ...board, moves, at: board.at + 1 };
    }
    case 'boardTo': {
      const at = clamp(event.at, board.moves.length + 1);
      return at === board.at ? board : { ...board, at };
    }
    case 'boardStart':
      return { ...board, on: true, mode: 'whole', start: event.start, moves: [], at: 0 };
    case 'brush':
      return { ...board, brush: event.brush };
    case 'paint': {
      const letter = board.painted[event.square] === board.brush ? '?' : board.brush;
      const painted =
        board.painted.slice(0, event.square) + letter + board.painted.slice(event.square + 1);
      return { ...board, painted };
    }
    case 'clearBoard':
      return { ...board, start: null, moves: [], at: 0, painted: NOTHING_PAINTED };
  }
}

function clamp(at: number, total: number): number {
  return Math.max(0, Math.min(at, total - 1));
}

/** The first page of an answer replaces what was there, the others come beside it. */
function found(state: LibraryView, page: number, answer: GamesFound): LibraryView {
  const isNew = state.loading;
  const pages = new Map(isNew ? [] : state.pages);
  pages.delete(page);
  pages.set(page, answer.games);
  for (const old of pages.keys()) {
    if (pages.size <= PAGES_KEPT) break;
    pages.delete(old);
  }
  return {
    ...state,
    pages,
    total: answer.total,
    tookUs: isNew ? answer.tookUs : state.tookUs,
    loading: false,
    problem: null,
    cursor: clamp(state.cursor, answer.total),
  };
}

function toggled(
  selected: ReadonlyMap<number, GameRow>,
  game: GameRow,
): ReadonlyMap<number, GameRow> {
  const next = new Map(selected);
  if (!next.delete(game.id)) next.set(game.id, game);
  return next;
}

function tagged(
  state: LibraryView,
  { games, tag, isSet }: Extract<LibraryEvent, { type: 'tagged' }>,
): LibraryView {
  const chosen = new Set(games);
  const change = (game: GameRow): GameRow => {
    if (!chosen.has(game.id)) return game;
    const others = game.tags.filter((it) => it !== tag);
    return { ...game, tags: isSet ? [...others, tag].toSorted() : others };
  };
  const pages = new Map([...state.pages].map(([page, rows]) => [page, rows.map(change)]));
  const selected = new Map([...state.selected].map(([id, game]) => [id, change(game)]));
  return { ...state, pages, selected, dialog: null, refusal: null };
}

/** The game of a row, if it was fetched. */
export function rowAt(state: LibraryView, at: number): GameRow | undefined {
  return state.pages.get(Math.floor(at / PAGE))?.[at % PAGE];
}

/** The pages of some rows that are not there. */
export function missingPages(state: LibraryView, first: number, last: number): number[] {
  if (state.total === null || state.loading) return [];
  const end = Math.min(last, state.total - 1);
  const missing: number[] = [];
  for (let page = Math.floor(first / PAGE); page <= Math.floor(end / PAGE); page += 1) {
    if (page >= 0 && !state.pages.has(page)) missing.push(page);
  }
  return missing;
}

/** Whether the board narrows the list. */
export function boardFilters({ board }: Pick<LibraryView, 'board'>): boolean {
  if (!board.on) return false;
  if (board.mode === 'part') return board.painted !== NOTHING_PAINTED;
  return board.at > 0 || board.start !== null;
}

/** What is asked for, as text; the position is the one that the server has told. */
export function searchText(state: LibraryView): string {
  const { board, explored, filters } = state;
  if (!boardFilters(state)) return queryText(filters);
  const filter =
    board.mode === 'part'
      ? { key: 'part', value: board.painted }
      : { key: 'position', value: explored?.text ?? '' };
  return queryText([...filters, filter]);
}

/** Imports that are not over. */
export function runningImports(imports: readonly FileImport[] | null): readonly FileImport[] {
  const over = ['finished', 'cancelled', 'failed'];
  return (imports ?? []).filter((it) => !over.includes(it.job.state));
}

/** The formats that hold all chosen games, the best first. */
export function formatsFor(
  games: Iterable<Pick<GameRow, 'kind'>>,
): readonly ('ggf' | 'transcript' | 'pgn' | 'html')[] {
  const kinds = new Set([...games].map((it) => it.kind));
  if (kinds.size === 1) return kinds.has('chess') ? ['pgn', 'html'] : ['ggf', 'transcript', 'html'];
  return ['html', 'ggf', 'transcript', 'pgn'];
}
