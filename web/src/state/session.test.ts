import { expect, test } from 'vitest';
import type { AnalysisState } from '../api/wire';
import { isNewPosition, sayPosition } from './say';
import { analysis, lastMove, legal, node, report, session } from './sample';
import {
  graphPoints,
  isBeyond,
  isHumanTurn,
  newerAnalysis,
  newerView,
  nodeOf,
  patched,
  playedNext,
  withAnalysis,
} from './session';

test('an older view never replaces a newer one of the same session', () => {
  const shown = session({ revision: 5 });
  expect(newerView(shown, session({ revision: 4 }))).toBe(shown);
  expect(newerView(shown, session({ revision: 5 }))).toBe(shown);
  const next = session({ revision: 6 });
  expect(newerView(shown, next)).toBe(next);
  const other = session({ id: 's2', revision: 1 });
  expect(newerView(shown, other)).toBe(other);
});

test('a game that is saved at last is drawn, although its revision is the same', () => {
  const waiting = session({ revision: 5, notSaved: 'The disk is full.' });
  const saved = session({ revision: 5 });
  expect(newerView(waiting, saved)).toBe(saved);
  expect(newerView(saved, waiting)).toBe(waiting);
  expect(newerView(waiting, session({ revision: 5, notSaved: 'The disk is full.' }))).toBe(waiting);
  expect(newerView(waiting, session({ revision: 4 }))).toBe(waiting);
});

const state = (generation: number, id = 's1') => analysis({ session: id, generation });

test('reports of an earlier search are dropped', () => {
  const shown = state(3);
  expect(newerAnalysis(shown, state(2), session())).toBe(shown);
  const next = state(3);
  expect(newerAnalysis(shown, next, session())).toBe(next);
  expect(newerAnalysis(shown, state(9, 's2'), session())).toBe(shown);
  expect(newerAnalysis(shown, state(9), null)).toBe(shown);
});

test('a search that ended before its request was answered keeps its report', () => {
  const ended = analysis({ generation: 3, status: 'finished', report: report([]) });
  const answer = analysis({ generation: 3, status: 'running', report: null });
  expect(newerAnalysis(ended, answer, session())).toBe(ended);
  expect(withAnalysis([ended], answer)).toEqual([ended]);
  const next = { ...answer, generation: 4 };
  expect(newerAnalysis(ended, next, session())).toBe(next);
  expect(withAnalysis([ended], next)).toEqual([next]);
});

const found = (depth: number, over: Partial<AnalysisState> = {}) =>
  analysis({ generation: 3, report: report([], { depth }), ...over });

test('within a search nothing that was found is taken back', () => {
  const shown = found(12);
  expect(newerAnalysis(shown, found(11), session())).toBe(shown);
  expect(withAnalysis([shown], found(11))).toEqual([shown]);
  const deeper = found(13);
  expect(newerAnalysis(shown, deeper, session())).toBe(deeper);
  const proven = found(9, { report: report([], { depth: 9, solved: true }) });
  expect(newerAnalysis(shown, proven, session())).toBe(proven);
  expect(newerAnalysis(proven, shown, session())).toBe(proven);
  // What is over does not run again, however far it came.
  const over = found(12, { status: 'finished' });
  expect(newerAnalysis(shown, over, session())).toBe(over);
  expect(newerAnalysis(over, shown, session())).toBe(over);
});

test('another engine does not push a running analysis away', () => {
  const shown = state(3);
  const other = { ...state(4), engine: 'mcts' };
  expect(newerAnalysis(shown, other, session())).toBe(shown);
  expect(newerAnalysis({ ...shown, status: 'stopped' }, other, session())).toBe(other);
});

test('a person moves in Analyse, and in Play when it is their turn', () => {
  expect(isHumanTurn(session())).toBe(true);
  expect(isHumanTurn(session({ awaiting: 'engine' }))).toBe(false);
  expect(isHumanTurn(session({ thinking: true }))).toBe(false);
  expect(isHumanTurn(session({ mode: 'analyse', awaiting: 'engine' }))).toBe(true);
  const outcome = { black: 40, white: 24, winner: 'black', reason: 'rules', text: '' } as const;
  expect(isHumanTurn(session({ outcome }))).toBe(false);
});

test('the graph shows the line, and holes where nothing is known', () => {
  const value = {
    black: -300,
    score: 300,
    depth: 8,
    solved: true,
    loss: 0,
    mate: null,
    glyph: null,
  };
  const tree = [node(0, null, { children: [1] }), node(1, 0, { value })];
  const shown = session({ tree, line: [0, 1] });
  expect(graphPoints(shown, null, null)).toEqual([
    { ply: 0, value: null, mate: null, solved: false, isGuess: false },
    { ply: 1, value: -300, mate: null, solved: true, isGuess: false },
  ]);
  // While it is analysed, the current position has the value of the analysis.
  const live = report([], { black: 120, solved: false });
  expect(graphPoints(shown, live, null)[0]).toMatchObject({ value: 120, solved: false });
  expect(graphPoints(shown, live, null)[1]?.value).toBe(-300);
  expect(playedNext(shown)?.id).toBe(1);
  expect(playedNext({ ...shown, node: 1 })).toBeUndefined();
  expect(nodeOf(shown, 7)).toBeUndefined();
});

/** What an analysis as deep as a first look says of a position. */
const value = (black: number, solved = false) => ({
  black,
  score: black,
  depth: 12,
  solved,
  loss: 0,
  mate: null,
  glyph: null,
});

test('a value is a first look until its move was judged, however deep the look was', () => {
  const tree = [
    node(0, null, { children: [1], value: value(0) }),
    node(1, 0, { children: [2], value: value(200) }),
    node(2, 1, { children: [3], value: value(-400, true) }),
    node(3, 2, { value: value(-400) }),
  ];
  const shown = session({ tree, line: [0, 1, 2, 3], node: 3 });
  const look = { black: 0, chance: 0.5, depth: 12, solved: false };
  const graph = [
    { ...look, node: 0, isJudged: false },
    { ...look, node: 1, isJudged: true },
    { ...look, node: 2, isJudged: false },
  ];
  const guesses = (review: { graph: typeof graph } | null) =>
    graphPoints(shown, null, review).map((it) => it.isGuess);
  // What is proven is no guess, and what no review has seen was valued by an analysis.
  expect(guesses({ graph })).toEqual([true, false, false, false]);
  expect(guesses(null)).toEqual([false, false, false, false]);
});

test('what happened is said in one sentence', () => {
  const last = lastMove('d2', 11, 'black', [1, 2, 3]);
  const position = { ...session().position, turn: 'white' as const };
  const moves = Array.from({ length: 9 }, (_, square) => legal('x', square));
  const moved = session({ lastMove: last, position, legal: moves });
  expect(sayPosition(moved)).toBe('Black d2, flips 3; White has 9 moves');
  expect(sayPosition(session())).toBe('Start position; Black has 1 move');
  expect(sayPosition({ ...moved, mustPass: true })).toBe('Black d2, flips 3; White has to pass');
  const pass = lastMove('ps', null, 'white');
  expect(sayPosition(session({ lastMove: pass }))).toBe('White passes; Black has 1 move');
});

test('only another position is worth saying', () => {
  expect(isNewPosition(null, session())).toBe(true);
  expect(isNewPosition(session(), session({ revision: 2 }))).toBe(false);
  expect(isNewPosition(session(), session({ node: 1 }))).toBe(true);
});

test('a patch changes, adds and removes nodes of the revision that it fits', () => {
  const tree = [node(0, null), node(1, 0), node(2, 1)];
  const shown = session({ revision: 4, tree });
  const patch = {
    base: 4,
    view: session({ revision: 5, tree: [], node: 3 }),
    changed: [node(1, 0, { comment: 'well' }), node(3, 1)],
    removed: [2],
  };
  const view = patched(shown, patch);
  expect(view?.tree.map((it) => [it.id, it.comment])).toEqual([
    [0, null],
    [1, 'well'],
    [3, null],
  ]);
  expect([view?.revision, view?.node]).toEqual([5, 3]);
  // What did not change is the same object: nothing of it is drawn anew.
  expect(view?.tree[0]).toBe(tree[0]);
  expect(isBeyond(shown, patch)).toBe(false);
});

test('a patch of another revision or session is not applied', () => {
  const view = session({ revision: 5, tree: [] });
  const patch = { base: 4, view, changed: [], removed: [] };
  const old = session({ revision: 3 });
  expect(patched(old, patch)).toBeNull();
  expect(isBeyond(old, patch)).toBe(true);
  // The answer of a request has overtaken it.
  const newer = session({ revision: 5 });
  expect(patched(newer, patch)).toBeNull();
  expect(isBeyond(newer, patch)).toBe(false);
  expect(patched(session({ id: 's2', revision: 4 }), patch)).toBeNull();
  expect(patched(null, patch)).toBeNull();
  expect(isBeyond(null, patch)).toBe(true);
});

test('a move before a pass is spoken, too', () => {
  const tree = [
    node(0, null, { children: [1] }),
    node(1, 0, { move: 'b1', side: 'black', children: [2] }),
    node(2, 1, { move: 'ps', side: 'white' }),
  ];
  const last = lastMove('ps', null, 'white');
  const after = session({ tree, line: [0, 1, 2], node: 2, lastMove: last });
  const before = session({ tree: tree.slice(0, 1) });
  expect(sayPosition(after, before)).toBe('Black b1; White passes; Black has 1 move');
  // Somebody who goes to another place hears where they are.
  expect(sayPosition(session({ tree, node: 0 }), after)).toBe('Start position; Black has 1 move');
});
