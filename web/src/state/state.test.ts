import { describe, expect, test } from 'vitest';
import type { ServerEvent } from '../api/wire';
import type { Event } from './event';
import { NO_GAME } from './game';
import { analysis as sample, legal, line as scored, report, session, step } from './sample';
import {
  boardLabels,
  boardOverlay,
  canPlay,
  discsOf,
  hintSquare,
  numbersOf,
  reportOf,
  showsValues,
  showsWelcome,
  whyNoMove,
} from './show';
import { PLAY_START } from './play';
import { REVIEW_START } from './review';
import { reduce, START } from './state';
import type { ShownLine } from './types';

const after = (...events: Event[]) => events.reduce(reduce, START);
const opened: Event[] = [
  { type: 'routed', route: { place: 'play', id: 's1' } },
  { type: 'viewed', view: session(), at: 0 },
];
const line: ShownLine = {
  title: 'A line',
  node: 0,
  steps: [step('d3', 19, 'black'), step('ps', null, 'white'), step('c3', 18, 'black')],
  index: 1,
  startBoard: 'before',
};

const server = (event: ServerEvent): Event => ({ type: 'server', event, at: 0 });
const reviewing = (node: number | null): Event => ({
  type: 'routed',
  route: { place: 'review', id: 's1', node, panel: 'notes' },
});
const analysed = (revision: number, node: number): Event => ({
  type: 'viewed',
  view: session({ mode: 'analyse', revision, node }),
  at: 0,
});

describe('the address', () => {
  test('follows the position', () => {
    const state = after(reviewing(null), analysed(1, 4));
    expect(state.shell.route).toEqual({ place: 'review', id: 's1', node: 4, panel: 'notes' });
    expect(reduce(state, analysed(2, 5)).shell.route).toMatchObject({ node: 5 });
  });

  test('keeps the position it names until the game is there', () => {
    const first = after(reviewing(9), analysed(1, 4));
    expect(first.shell.route).toMatchObject({ node: 9 });
    expect(reduce(first, analysed(2, 9)).shell.route).toMatchObject({ node: 9 });
  });

  test('stays with its game when another becomes the current one', () => {
    const state = after(...opened);
    const other = session({ id: 's2', mode: 'analyse', revision: 9 });
    for (const event of [
      server({ type: 'current', data: { session: 's2' } }),
      server({ type: 'session', data: other }),
    ]) {
      expect(reduce(state, event).shell.route).toEqual({ place: 'play', id: 's1' });
    }
  });

  test('says whether the game is played or reviewed, whoever changes that', () => {
    const view = session({ mode: 'analyse', node: 2, revision: 2 });
    const state = after(...opened, server({ type: 'session', data: view }));
    expect(state.shell.route).toEqual({ place: 'review', id: 's1', node: 2, panel: null });
    const back = server({ type: 'session', data: session({ revision: 3 }) });
    expect(reduce(state, back).shell.route).toEqual({ place: 'play', id: 's1' });
    // On the way to Review the game may still be one that is played.
    const loading = after(reviewing(null), { type: 'viewed', view: session(), at: 0 });
    expect(loading.shell.route.place).toBe('review');
  });
});

describe('what a screen reader says', () => {
  test('a new position, a line and its steps, an overlay', () => {
    expect(after(...opened).shell.spoken).toBe('Start position; Black has 1 move');
    const shown = after(...opened, { type: 'lineShown', line });
    expect(shown.shell.spoken).toBe('Showing a line of 3 moves. Escape returns to the game.');
    expect(reduce(shown, { type: 'lineTo', index: 2 }).shell.spoken).toBe('Line: white ps');
    expect(reduce(shown, { type: 'lineTo', index: 0 }).shell.spoken).toBe('Before the line');
    expect(after(...opened, { type: 'overlay', name: 'parity' }).shell.spoken).toBe(
      'Overlay parity',
    );
  });

  test('nothing about the games of other windows', () => {
    const state = after(...opened);
    const other: Event = {
      type: 'server',
      event: { type: 'session', data: session({ id: 's2', node: 7 }) },
      at: 0,
    };
    expect(reduce(state, other).shell.spoken).toBe(state.shell.spoken);
  });

  test('the end of the game', () => {
    const outcome = {
      black: 40,
      white: 24,
      winner: 'black',
      reason: 'time',
      text: 'White’s time is up.',
    } as const;
    const view = session({ revision: 2, outcome });
    expect(after(...opened, { type: 'viewed', view, at: 0 }).shell.spoken).toBe(outcome.text);
  });
});

describe('what is drawn', () => {
  const game = after(...opened).game;
  const found = report([scored('d3', 19, 200)]);
  const analysis = sample({ report: found });

  test('a report only for the position on the board', () => {
    expect(reportOf({ ...game, analysis })).toBe(found);
    expect(reportOf({ ...game, analysis: { ...analysis, node: 3 } })).toBeNull();
    expect(reportOf(NO_GAME)).toBeNull();
  });

  test('values as the place says', () => {
    expect(showsValues('play', game, REVIEW_START)).toBe(false);
    expect(showsValues('review', game, REVIEW_START)).toBe(true);
    expect(showsValues('review', NO_GAME, REVIEW_START)).toBe(false);
    expect(boardLabels(game, found, true).get(19)?.text).toBe('+2');
    expect(boardLabels(game, found, false).size).toBe(0);
    expect(boardLabels({ ...game, line }, found, true).size).toBe(0);
  });

  test('the discs of the game, of a step of a line, or before the line', () => {
    expect(discsOf(game.session, null)).toEqual({ discs: session().position.board, last: null });
    expect(discsOf(game.session, line)).toEqual({ discs: session().position.board, last: 19 });
    expect(discsOf(game.session, { ...line, index: 0 })).toEqual({ discs: 'before', last: null });
    expect(discsOf(null, null).discs).toHaveLength(64);
  });

  test('numbers of a line up to where it is, passes counted but not drawn', () => {
    expect([...numbersOf({ ...line, index: 3 })]).toEqual([
      [19, 1],
      [18, 3],
    ]);
    expect(numbersOf(null).size).toBe(0);
  });

  test('a hint and overlays, but not over a line', () => {
    const best = legal('d3', 19);
    const hinted = { ...game, hint: { node: 0, best, text: '', report: found } };
    expect(hintSquare(hinted)).toBe(19);
    expect(hintSquare({ ...hinted, line })).toBeNull();
    const overlays = {
      node: 0,
      isApproximate: false,
      mobility: [{ square: 19, intensity: 1, own: 4, replies: 2 }],
      parity: [],
      stability: [],
      corners: [],
      frontier: [],
    };
    const laid = { ...game, overlay: 'mobility' as const, overlays };
    expect(boardOverlay(laid)?.cells).toHaveLength(1);
    expect(boardOverlay({ ...laid, line })).toBeNull();
    expect(boardLabels(laid, found, true).get(19)?.detail).toBe('4:2');
  });
});

test('who may move, and why not', () => {
  const { game } = after(...opened);
  expect(canPlay(game)).toBe(true);
  expect(canPlay({ ...game, line })).toBe(false);
  expect(canPlay(NO_GAME)).toBe(false);
  expect(whyNoMove(session(), 0)).toBe('a1 is not a legal move.');
  expect(whyNoMove(session({ thinking: true }), 0)).toBe('It is the engine’s turn.');
});

test('the welcome is for the first launch, until it is closed', () => {
  const settings = { isFirstLaunch: true } as never;
  expect(showsWelcome(settings, PLAY_START)).toBe(true);
  expect(showsWelcome(settings, { ...PLAY_START, welcomeClosed: true })).toBe(false);
  expect(showsWelcome(null, PLAY_START)).toBe(false);
});
