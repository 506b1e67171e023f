import { describe, expect, test } from 'vitest';
import type { AnalysisState, ServerEvent, SessionView } from '../api/wire';
import type { Event } from './event';
import { game, NO_GAME, type GameState } from './game';
import { analysis as sample, report, session, step } from './sample';
import type { ShownLine, Why } from './types';

const play = (id: string): Event => ({ type: 'routed', route: { place: 'play', id } });
const viewed = (view: SessionView, at = 1): Event => ({ type: 'viewed', view, at });
const server = (event: ServerEvent, at = 1): Event => ({ type: 'server', event, at });
const after = (...events: Event[]): GameState => events.reduce(game, NO_GAME);

const analysis = (over: Partial<AnalysisState> = {}) => sample({ report: report([]), ...over });

const why: Why = {
  node: 0,
  move: 'b2',
  askedAt: 0,
  state: 'loading',
  explanation: null,
  problem: '',
};

const line: ShownLine = {
  title: 'A line',
  node: 0,
  steps: ['d3', 'c3'].map((move) => step(move, 19, 'black')),
  index: 1,
  startBoard: null,
};

describe('the session of the address', () => {
  test('is shown, and others are not, whoever sends them', () => {
    const state = after(play('s1'), viewed(session()));
    const other = session({ id: 's2', revision: 9 });
    expect(game(state, viewed(other))).toBe(state);
    expect(game(state, server({ type: 'session', data: other }))).toBe(state);
    expect(game(state, server({ type: 'current', data: { session: 's2' } }))).toBe(state);
    expect(game(state, server({ type: 'analysis', data: analysis({ session: 's2' }) }))).toBe(
      state,
    );
    expect(after(play('s1'), server({ type: 'session', data: other })).session).toBeNull();
  });

  test('is replaced by a newer view only', () => {
    const state = after(play('s1'), viewed(session({ revision: 5 }), 10));
    expect(game(state, viewed(session({ revision: 5 }), 20))).toBe(state);
    const next = game(state, viewed(session({ revision: 6 }), 20));
    expect(next.session?.revision).toBe(6);
    expect(next.readAt).toBe(20);
  });

  test('is put away for another one, and stays on the way to the list and back', () => {
    const state = after(play('s1'), viewed(session()), { type: 'overlay', name: 'parity' });
    const games = game(state, { type: 'routed', route: { place: 'games', tab: 'found' } });
    expect(games).toBe(state);
    const other = game(state, play('s2'));
    expect(other).toMatchObject({ id: 's2', session: null, analysis: null, overlay: 'parity' });
  });

  test('may be missing; a view brings it back', () => {
    const state = after(play('s1'), { type: 'missing', id: 's1', text: 'There is no s1.' });
    expect(state).toMatchObject({ session: null, missing: 'There is no s1.' });
    expect(game(state, viewed(session())).missing).toBeNull();
    expect(after(play('s2'), { type: 'missing', id: 's1', text: 'No.' }).missing).toBeNull();
  });

  test('has a clock that is told by itself', () => {
    const clock = { blackMs: 5, whiteMs: 6, incrementMs: 0, running: null, flagged: null };
    const state = after(play('s1'), viewed(session()));
    const told = game(state, server({ type: 'clock', data: { session: 's1', clock } }, 77));
    expect(told.session?.clock).toBe(clock);
    expect(told.readAt).toBe(77);
    expect(game(state, server({ type: 'clock', data: { session: 's2', clock } }))).toBe(state);
  });
});

describe('what is about a position', () => {
  const here = after(
    play('s1'),
    viewed(session()),
    { type: 'overlay', name: 'mobility' },
    { type: 'whyAsked', why },
    { type: 'lineShown', line },
  );
  const moved = viewed(session({ revision: 2, node: 1 }));

  test('goes with it', () => {
    const next = game(here, moved);
    expect(next).toMatchObject({ why: null, line: null, hint: null, overlays: null, reason: null });
    // The choice of overlay is the reader's, not the position's.
    expect(next.overlay).toBe('mobility');
  });

  test('stays if the position stays', () => {
    expect(game(here, viewed(session({ revision: 2 })))).toMatchObject({ why, line });
  });

  test('comes from the position: late answers are dropped', () => {
    const hint = { node: 0, best: null, text: 'Pass.', report: report([]) };
    expect(game(here, { type: 'hinted', hint }).hint).toBe(hint);
    expect(game(game(here, moved), { type: 'hinted', hint }).hint).toBeNull();
    const overlays = {
      node: 0,
      isApproximate: false,
      mobility: [],
      parity: [],
      stability: [],
      corners: [],
      frontier: [],
    };
    const loaded: Event = { type: 'overlaysLoaded', session: 's1', overlays };
    expect(game(here, loaded).overlays).toBe(overlays);
    expect(game(game(here, moved), loaded).overlays).toBeNull();
    expect(game(here, { ...loaded, session: 's2' }).overlays).toBeNull();
  });

  test('an answer counts only for the question that stands', () => {
    const answer: Why = { ...why, state: 'failed', problem: 'No.' };
    expect(game(here, { type: 'whyAnswered', asked: why, answer }).why).toBe(answer);
    const again = game(here, { type: 'whyAsked', why: { ...why, move: 'a1' } });
    expect(game(again, { type: 'whyAnswered', asked: why, answer })).toBe(again);
  });

  test('a reason or the end of the card puts the line away', () => {
    expect(game(here, { type: 'reason', index: 1 })).toMatchObject({ reason: 1, line: null });
    expect(game(here, { type: 'closeWhy' })).toMatchObject({ why: null, line: null });
    expect(game(here, { type: 'closeLine' }).line).toBeNull();
  });

  test('a line is stepped through from end to end and no further', () => {
    const reached = [-1, 0, 2, 3].map((index) => game(here, { type: 'lineTo', index }).line?.index);
    expect(reached).toEqual([0, 0, 2, 2]);
  });
});

test('overlays: one at a time, off when chosen again, the last one comes back', () => {
  let state = after(play('s1'), { type: 'overlay', name: 'parity' });
  expect(state.overlay).toBe('parity');
  state = game(state, { type: 'overlay', name: 'corners' });
  expect(state.overlay).toBe('corners');
  state = game(state, { type: 'overlay', name: null });
  expect(state.overlay).toBeNull();
  state = game(state, { type: 'overlay', name: null });
  expect(state.overlay).toBe('corners');
  expect(game(state, { type: 'overlaysFailed' }).overlay).toBeNull();
});

test('the latest search counts', () => {
  const state = after(play('s1'), viewed(session()), {
    type: 'analysed',
    analysis: analysis({ generation: 3 }),
  });
  expect(game(state, { type: 'analysed', analysis: analysis({ generation: 2 }) })).toBe(state);
  const stopped = analysis({ generation: 3, status: 'stopped' });
  expect(game(state, server({ type: 'analysis', data: stopped })).analysis).toBe(stopped);
});

test('after a loss of the program, whatever the next one says is newer', () => {
  const before = after(play('s1'), viewed(session()), {
    type: 'analysed',
    analysis: analysis({ generation: 7, status: 'running' }),
  });
  const state = game(before, { type: 'connection', state: 'lost' });
  // What was found stays on the board, and nobody waits for more of it.
  expect(state.analysis).toMatchObject({ status: 'stopped', report: before.analysis?.report });
  const first = sample({ generation: 0 });
  const next = game(state, server({ type: 'analysis', data: first }));
  expect(next).toMatchObject({ analysis: first, analyses: [first] });
});

/** What a stream begins with. */
const view = (revision: number, analyses: AnalysisState[]): Event =>
  server({ type: 'session', data: session({ revision, analyses }) });

describe('a search that ended before the stream began', () => {
  const running = sample({ generation: 3 });
  const ended = analysis({ generation: 3, status: 'finished' });
  const asked = after(play('s1'), viewed(session({ revision: 5 })), {
    type: 'analysed',
    analysis: running,
  });

  test('is told by the first view of the stream, whose revision is known already', () => {
    const told = game(asked, view(5, [ended]));
    expect(told).toMatchObject({ analysis: ended, analyses: [ended] });
    expect(told.session).toBe(asked.session);
    // Nothing that was on its way takes it back.
    expect(game(told, view(5, [running]))).toBe(told);
    expect(game(told, view(6, [running]))).toMatchObject({ analysis: ended, analyses: [ended] });
  });

  test('is not told by a view of an earlier moment', () => {
    const other = analysis({ generation: 2, engine: 'mcts' });
    expect(game(asked, view(4, [other]))).toBe(asked);
  });
});

test('waiting is remembered by what is waited for', () => {
  const state = after({ type: 'busy', what: 'hint', on: true });
  expect(state.busy).toEqual({ hint: true, best: false });
  expect(game(state, { type: 'busy', what: 'hint', on: false }).busy.hint).toBe(false);
});
