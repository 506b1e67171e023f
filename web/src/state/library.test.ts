import { describe, expect, test } from 'vitest';
import type { ExploredPosition, GameRow } from '../api/wire';
import {
  boardFilters,
  formatsFor,
  library,
  LIBRARY_START,
  missingPages,
  PAGE,
  rowAt,
  searchText,
  type LibraryEvent,
  type LibraryView,
} from './library';

const game = (id: number, kind: GameRow['kind'] = 'othello'): GameRow => ({
  id,
  kind,
  black: 'Ann',
  white: 'Bob',
  event: '',
  date: '',
  result: null,
  blackElo: null,
  whiteElo: null,
  plies: 60,
  opening: null,
  tags: [],
  hasNote: false,
});

const after = (events: readonly LibraryEvent[], state: LibraryView = LIBRARY_START) =>
  events.reduce(library, state);

const page = (state: LibraryView, at: number, total = 250) =>
  library(state, {
    type: 'found',
    asked: state.asked,
    page: at,
    found: {
      total,
      games: Array.from({ length: PAGE }, (_, i) => game(at * PAGE + i + 1)),
      tookUs: 5,
    },
  });

const explored = (text: string) => ({ text }) as ExploredPosition;

describe('the list', () => {
  test('a new question is asked by every change of what is looked for', () => {
    const state = after([
      { type: 'addFilters', filters: [{ key: 'year', value: '2024' }] },
      { type: 'order', order: 'oldest' },
    ]);
    expect(state.asked).toBe(2);
    expect(state.loading).toBe(true);
    expect(after([{ type: 'cursor', at: 0 }]).asked).toBe(0);
  });

  test('the old list stays until the new one is there; old answers are dropped', () => {
    const shown = page(after([{ type: 'again' }]), 0);
    expect(rowAt(shown, 1)?.id).toBe(2);
    const searching = library(shown, {
      type: 'addFilters',
      filters: [{ key: 'text', value: 'x' }],
    });
    expect(rowAt(searching, 1)?.id).toBe(2);
    const late = library(searching, {
      type: 'found',
      asked: shown.asked,
      page: 0,
      found: { total: 9, games: [game(77)], tookUs: 1 },
    });
    expect(late).toBe(searching);
    const found = library(searching, {
      type: 'found',
      asked: searching.asked,
      page: 0,
      found: { total: 1, games: [game(77)], tookUs: 1 },
    });
    expect(found.total).toBe(1);
    expect(rowAt(found, 0)?.id).toBe(77);
    expect(rowAt(found, 1)).toBeUndefined();
  });

  test('rows that are seen and not here are fetched', () => {
    const state = page(after([{ type: 'again' }]), 0);
    expect(missingPages(state, 0, 50)).toEqual([]);
    expect(missingPages(state, 90, 130)).toEqual([1]);
    expect(missingPages(state, 190, 9999)).toEqual([1, 2]);
    expect(missingPages(page(state, 1), 190, 249)).toEqual([2]);
  });

  test('few pages stay in memory', () => {
    let state = page(after([{ type: 'again' }]), 0, 1_000_000);
    for (let at = 1; at < 200; at += 1) state = page(state, at, 1_000_000);
    expect(state.pages.size).toBeLessThanOrEqual(40);
    expect(rowAt(state, 199 * PAGE)?.id).toBe(199 * PAGE + 1);
  });

  test('the cursor stays on the list', () => {
    const state = page(after([{ type: 'again' }]), 0, 3);
    expect(library(state, { type: 'cursor', at: 99 }).cursor).toBe(2);
    expect(library(state, { type: 'cursor', at: -1 }).cursor).toBe(0);
  });

  test('a failure is told, and the list stays', () => {
    const state = library(page(after([{ type: 'again' }]), 0), { type: 'again' });
    const failed = library(state, { type: 'failed', asked: state.asked, text: 'no' });
    expect(failed.problem).toBe('no');
    expect(rowAt(failed, 0)?.id).toBe(1);
    expect(library(failed, { type: 'again' }).problem).toBeNull();
  });
});

describe('the board', () => {
  test('moves lead on, back and along the way that was taken before', () => {
    const state = after([
      { type: 'boardOn', on: true },
      { type: 'boardPlay', move: 'f5' },
      { type: 'boardPlay', move: 'd6' },
      { type: 'boardTo', at: 1 },
    ]);
    expect(state.board).toMatchObject({ moves: ['f5', 'd6'], at: 1 });
    expect(library(state, { type: 'boardPlay', move: 'd6' }).board).toMatchObject({
      moves: ['f5', 'd6'],
      at: 2,
    });
    expect(library(state, { type: 'boardPlay', move: 'f6' }).board.moves).toEqual(['f5', 'f6']);
    expect(library(state, { type: 'boardTo', at: 9 }).board.at).toBe(2);
  });

  test('the position is a part of the question once it is not the start', () => {
    const on = after([{ type: 'boardOn', on: true }]);
    expect(boardFilters(on)).toBe(false);
    expect(searchText(on)).toBe('');
    const played = library(on, { type: 'boardPlay', move: 'f5' });
    const told = library(played, {
      type: 'explored',
      asked: played.asked,
      explored: explored('---X O'),
    });
    expect(searchText(told)).toBe('position:"---X O"');
    expect(searchText(library(told, { type: 'boardOn', on: false }))).toBe('');
  });

  test('squares are painted and cleared', () => {
    const state = after([
      { type: 'boardOn', on: true },
      { type: 'boardMode', mode: 'part' },
      { type: 'paint', square: 0 },
      { type: 'brush', brush: '-' },
      { type: 'paint', square: 63 },
    ]);
    expect(state.board.painted).toBe(`X${'?'.repeat(62)}-`);
    expect(searchText(state)).toBe(`part:X${'?'.repeat(62)}-`);
    // The same colour again takes it off.
    expect(library(state, { type: 'paint', square: 63 }).board.painted.endsWith('?')).toBe(true);
    expect(boardFilters(library(state, { type: 'clearBoard' }))).toBe(false);
  });
});

describe('chosen games', () => {
  test('are chosen and let go', () => {
    const one = after([{ type: 'select', game: game(3) }]);
    expect([...one.selected.keys()]).toEqual([3]);
    expect(library(one, { type: 'select', game: game(3) }).selected.size).toBe(0);
    expect(library(one, { type: 'gone', games: [3] }).selected.size).toBe(0);
  });

  test('get their tags at once', () => {
    const state = library(page(after([{ type: 'again' }]), 0), { type: 'select', game: game(2) });
    const tagged = library(state, { type: 'tagged', games: [2], tag: 'study', isSet: true });
    expect(rowAt(tagged, 1)?.tags).toEqual(['study']);
    expect(rowAt(tagged, 0)?.tags).toEqual([]);
    expect(tagged.selected.get(2)?.tags).toEqual(['study']);
    const without = library(tagged, { type: 'tagged', games: [2], tag: 'study', isSet: false });
    expect(rowAt(without, 1)?.tags).toEqual([]);
  });

  test('are written in formats that hold them', () => {
    expect(formatsFor([game(1)])[0]).toBe('ggf');
    expect(formatsFor([game(1, 'chess')])[0]).toBe('pgn');
    expect(formatsFor([game(1), game(2, 'chess')])[0]).toBe('html');
  });
});
