import { describe, expect, test } from 'vitest';
import type { Attempt, Node, Review, ReviewedMove, Tally } from '../api/wire';
import { review, REVIEW_START, type ReviewState } from './review';
import { node, report, session } from './sample';
import { standingOf, tryingOf } from './tries';

const tally: Tally = {
  moves: 1,
  loss: 900,
  accuracy: 50,
  inaccuracies: 0,
  mistakes: 0,
  blunders: 1,
};
const mistake: ReviewedMove = {
  node: 3,
  number: 3,
  side: 'black',
  move: 'b2',
  best: 'c3',
  loss: 900,
  chanceLoss: 0.3,
  chanceBefore: 0.5,
  chanceAfter: 0.2,
  severity: 'blunder',
  certainty: 'proven',
  phase: 'middlegame',
  headline: null,
  glyph: '??',
  mistakes: [],
  playedLine: ['b2'],
  bestLine: ['c3'],
  report: report([]),
};
const found: Review = {
  session: 's1',
  isComplete: true,
  moves: [mistake],
  mistakes: [3],
  graph: [],
  black: tally,
  white: tally,
  phases: [],
  turningPoint: null,
  summary: [],
  summaryUntried: [],
};
const tree = [0, 1, 2, 3].map((id) => node(id, id === 0 ? null : id - 1));
const before = session({ mode: 'analyse', people: 'black', tree, line: [0, 1, 2, 3], node: 2 });
const open = [
  { type: 'routed', route: { place: 'review', id: 's1', node: null, panel: null } },
  { type: 'reviewed', review: found },
].reduce((state, event) => review(state, event as Parameters<typeof review>[1]), REVIEW_START);
const tried = (move: string, verdict: Attempt['found']): ReviewState =>
  review(open, {
    type: 'attempted',
    node: 2,
    attempt: { move, found: verdict, text: `${move}: told` },
  });

describe('a mistake', () => {
  test('is to be tried where the choice was, by whoever made it', () => {
    expect(tryingOf(open, before, true)).toMatchObject({ number: 1, total: 1 });
    expect(tryingOf(open, { ...before, node: 3 }, true)).toBeNull();
    expect(tryingOf(open, { ...before, people: 'white' }, true)).toBeNull();
    expect(tryingOf(open, { ...before, people: 'both' }, true)).not.toBeNull();
    expect(tryingOf(open, { ...before, id: 's2' }, true)).toBeNull();
  });

  test('is told at once to who does not want to try', () => {
    expect(tryingOf(open, before, false)).toBeNull();
  });

  test('stays open after a wrong try, which is remembered', () => {
    for (const verdict of ['no', 'better'] as const) {
      const now = tryingOf(tried('d3', verdict), before, true);
      expect(now?.now.last?.text).toBe('d3: told');
    }
  });

  test('is found by a good try, or its answer is seen, and it can be tried again', () => {
    const kept = (standing: Node['tried']) =>
      session({
        ...before,
        tree: tree.map((it) => (it.id === 2 ? { ...it, tried: standing } : it)),
      });
    for (const standing of ['found', 'seen'] as const) {
      expect(standingOf(mistake, kept(standing))).toBe(standing);
      expect(tryingOf(open, kept(standing), true)).toBeNull();
    }
    expect(standingOf(mistake, before)).toBe('open');
    const anew = review(tried('c3', 'yes'), { type: 'triedAnew', node: 2 });
    expect(tryingOf(anew, before, true)?.now.last).toBeNull();
  });

  test('shows where to look without being solved by it', () => {
    const looked = review(open, { type: 'lookedAt', node: 2, squares: [0, 1, 2] });
    expect(tryingOf(looked, before, true)?.now.region).toEqual([0, 1, 2]);
  });

  test('of another game is another one', () => {
    const other = { place: 'review', id: 's2', node: null, panel: null } as const;
    expect(review(tried('c3', 'yes'), { type: 'routed', route: other }).tries).toEqual({});
  });
});
