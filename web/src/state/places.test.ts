import { describe, expect, test } from 'vitest';
import type { Job, Review, ReviewedMove, Tally, ServerEvent } from '../api/wire';
import { games, GAMES_START, titleOf } from './games';
import { game, NO_GAME } from './game';
import { blunderOf, play, PLAY_START } from './play';
import {
  biggestMistake,
  isReviewDue,
  mistakesOf,
  nextMistake,
  panelOf,
  partOf,
  review,
  REVIEW_START,
  runningReview,
  tabsOf,
  type ReviewState,
} from './review';
import { node as place, report, session } from './sample';

describe('Play', () => {
  const blunder = { node: 3, move: 'b2' };
  const at = [
    { type: 'routed', route: { place: 'play', id: 's1' } },
    { type: 'viewed', view: session({ blunder }), at: 0 },
  ] as const;
  const board = at.reduce(game, NO_GAME);

  test('a blunder is spoken of as long as the game is on the board', () => {
    expect(blunderOf(board)).toBe(blunder);
    const line = { title: '', node: 0, steps: [], index: 0, startBoard: null };
    expect(blunderOf(game(board, { type: 'lineShown', line }))).toBeNull();
    expect(blunderOf(NO_GAME)).toBeNull();
  });

  test('the welcome is closed once', () => {
    const other = { type: 'routed', route: { place: 'play', id: 's2' } } as const;
    expect(play(play(PLAY_START, { type: 'welcomed' }), other).welcomeClosed).toBe(true);
  });
});

const move = (node: number, loss: number): ReviewedMove => ({
  node,
  number: node,
  side: 'black',
  move: 'b2',
  best: 'c3',
  loss,
  chanceLoss: null,
  chanceBefore: 0.5,
  chanceAfter: 0.5,
  severity: 'mistake',
  certainty: 'stable',
  phase: 'middlegame',
  headline: null,
  glyph: '?',
  mistakes: [],
  playedLine: ['b2'],
  bestLine: ['c3'],
  report: report([]),
});
const tally: Tally = {
  moves: 4,
  loss: 1500,
  accuracy: 50,
  inaccuracies: 0,
  mistakes: 2,
  blunders: 0,
};
const found: Review = {
  session: 's1',
  isComplete: true,
  moves: [move(1, 0), move(2, 500), move(3, 100), move(4, 900)],
  mistakes: [2, 4],
  graph: [],
  black: tally,
  white: tally,
  phases: [],
  turningPoint: null,
  summary: [],
  summaryUntried: [],
};
const routed = (id: string, panel: 'coach' | 'engines' | null = null) =>
  ({ type: 'routed', route: { place: 'review', id, node: null, panel } }) as const;

const at = (node: number) => session({ line: [0, 1, 2, 3, 4, 5], node });

describe('Review', () => {
  const open: ReviewState = review(review(REVIEW_START, routed('s1')), {
    type: 'reviewed',
    review: found,
  });

  test('what is found belongs to its game', () => {
    expect(open.review).toBe(found);
    const other = { ...found, session: 's2' };
    expect(review(open, { type: 'reviewed', review: other })).toBe(open);
    const event = { type: 'server', event: { type: 'review', data: other }, at: 0 } as const;
    expect(review(open, event)).toBe(open);
    expect(review(open, routed('s2')).review).toBeNull();
    expect(review(open, routed('s1')).review).toBe(found);
  });

  test('a finished game opens on Coach, a position on Engines, and a choice stays', () => {
    expect(panelOf(open, session())).toBe('engines');
    expect(panelOf(open, session({ isFinished: true }))).toBe('coach');
    const chosen = review(open, { type: 'panel', panel: 'notes' });
    expect(panelOf(chosen, session({ isFinished: true }))).toBe('notes');
    expect(panelOf(review(chosen, routed('s1')), session())).toBe('notes');
    expect(panelOf(review(chosen, routed('s2')), session())).toBe('engines');
    expect(review(chosen, routed('s1', 'coach')).panel).toBe('coach');
  });

  test('who asks why gets the coach', () => {
    const why = {
      node: 0,
      move: null,
      askedAt: 0,
      state: 'loading',
      explanation: null,
      problem: '',
    } as const;
    expect(review(open, { type: 'whyAsked', why }).panel).toBe('coach');
  });

  test('a phone shows the coach in parts: what is asked or tried, else how the game went', () => {
    expect(partOf(open, false)).toBe('graph');
    expect(partOf(open, true)).toBe('why');
    const listed = review(open, { type: 'part', part: 'mistakes' });
    expect(partOf(listed, true)).toBe('mistakes');
    expect(partOf(review(listed, routed('s2')), false)).toBe('graph');
    expect(tabsOf(false, true, 2).map((it) => it.title)).toEqual([
      'Coach',
      'Engines',
      'Explorer',
      'Notes',
    ]);
    expect(tabsOf(true, true, 2).map((it) => it.title)).toEqual([
      'Try',
      'Mistakes',
      'Graph',
      'Lines',
      'Explorer',
      'Moves',
    ]);
  });

  test('the biggest mistake that is still to be tried comes first', () => {
    const tree = [0, 1, 2, 3, 4].map((id) => place(id, id === 0 ? null : id - 1));
    const here = session({ tree, line: [0, 1, 2, 3, 4], people: 'both' });
    expect(biggestMistake(open, here)).toBe(3);
    const tried = tree.map((it) => (it.id === 3 ? { ...it, tried: 'found' as const } : it));
    expect(biggestMistake(open, { ...here, tree: tried })).toBe(1);
  });

  test('mistakes are listed by size or in order', () => {
    expect(mistakesOf(open, at(0)).map((it) => it.node)).toEqual([4, 2]);
    const ordered = review(open, { type: 'mistakeOrder', order: 'game' });
    expect(mistakesOf(ordered, at(0)).map((it) => it.node)).toEqual([2, 4]);
    expect(mistakesOf(REVIEW_START, at(0))).toEqual([]);
  });

  test('one’s own mistakes are listed, and both sides’ on request or where nobody is “you”', () => {
    const mine = session({ people: 'white', line: [0, 1, 2, 3, 4, 5] });
    expect(mistakesOf(open, mine)).toEqual([]);
    const both = review(open, { type: 'mistakesOf', whose: 'both' });
    expect(mistakesOf(both, mine)).toHaveLength(2);
    expect(mistakesOf(open, session({ people: 'both' }))).toHaveLength(2);
  });

  test('a finished game is reviewed once, by itself', () => {
    const finished = session({ mode: 'analyse', isFinished: true });
    const fresh = review(REVIEW_START, routed('s1'));
    expect(isReviewDue(fresh, finished, [])).toBe(true);
    expect(isReviewDue(open, finished, [])).toBe(false);
    expect(isReviewDue(fresh, session({ mode: 'analyse' }), [])).toBe(false);
    expect(isReviewDue(fresh, session({ isFinished: true }), [])).toBe(false);
  });

  test('the reader is taken to the biggest mistake until they begin to walk', () => {
    const tree = [0, 1, 2, 3, 4].map((id) => place(id, id === 0 ? null : id - 1));
    expect(biggestMistake(open, session({ tree, line: [0, 1, 2, 3, 4] }))).toBe(3);
    const opened = review(open, { type: 'opened', node: 5 });
    const here = review(opened, { type: 'viewed', view: session({ node: 5 }), at: 0 });
    expect(here.openedAt).toBe(5);
    const gone = review(here, { type: 'viewed', view: session({ node: 4 }), at: 0 });
    expect(gone.openedAt).toBeNull();
  });

  test('the next mistake is looked at from before it', () => {
    expect(nextMistake(open, at(0), true)).toBe(1);
    expect(nextMistake(open, at(1), true)).toBe(3);
    expect(nextMistake(open, at(3), true)).toBeNull();
    expect(nextMistake(open, at(5), false)).toBe(3);
    expect(nextMistake(open, at(3), false)).toBe(1);
    expect(nextMistake(open, at(1), false)).toBeNull();
    expect(nextMistake(REVIEW_START, at(0), true)).toBeNull();
    // Mistakes of a line that is not shown are no place to go to.
    expect(nextMistake(open, session({ line: [0, 9], node: 0 }), true)).toBeNull();
  });

  test('values are the reader’s choice', () => {
    expect(review(open, { type: 'valuesOnBoard', on: false }).valuesOnBoard).toBe(false);
  });

  test('the review under way is that of this game', () => {
    const job: Job = {
      id: 1,
      subject: { kind: 'review', session: 's1' },
      state: 'running',
      done: 1,
      total: 2,
      message: '',
      remainingMs: null,
      canPause: true,
    };
    expect(runningReview([job], 's1')).toBe(job);
    expect(runningReview([job], 's2')).toBeNull();
    expect(runningReview([{ ...job, state: 'finished' }], 's1')).toBeNull();
  });
});

const told = (event: ServerEvent) => ({ type: 'server', event, at: 0 }) as const;

describe('Games', () => {
  const list = [
    {
      id: 's1',
      revision: 1,
      mode: 'play',
      plies: 0,
      title: null,
      players: null,
      status: '',
      game: 'othello',
      isUsable: true,
      isCurrent: true,
    },
  ] as const;

  test('the old list stays until there is a new one', () => {
    const loaded = games(GAMES_START, { type: 'gamesLoaded', games: list });
    const failed = games(loaded, { type: 'gamesFailed', text: 'No answer.' });
    expect(failed).toMatchObject({ games: list, problem: 'No answer.' });
    expect(games(failed, { type: 'gamesLoaded', games: [] })).toEqual({
      ...GAMES_START,
      games: [],
    });
  });

  test('a question is dropped with the place it was asked at', () => {
    const asked = games(GAMES_START, { type: 'askDelete', id: 's1' });
    expect(asked.deleting).toBe('s1');
    expect(games(asked, { type: 'askDelete', id: null }).deleting).toBeNull();
    expect(games(asked, routed('s1')).deleting).toBeNull();
    const naming = games(asked, { type: 'askRename', id: 's1' });
    expect(naming).toMatchObject({ deleting: null, renaming: 's1' });
    expect(games(naming, routed('s1')).renaming).toBeNull();
  });

  const two = games(GAMES_START, {
    type: 'gamesLoaded',
    games: [list[0], { ...list[0], id: 's2', isCurrent: false }],
  });

  test('a deleted game leaves the list with its question, whoever deleted it', () => {
    const asked = games(two, { type: 'askDelete', id: 's1' });
    for (const event of [
      { type: 'gameDeleted', id: 's1' } as const,
      told({ type: 'deleted', data: { session: 's1' } }),
    ]) {
      const after = games(asked, event);
      expect(after.games?.map((it) => it.id)).toEqual(['s2']);
      expect(after.deleting).toBeNull();
    }
    const other = games(asked, told({ type: 'deleted', data: { session: 's2' } }));
    expect(other.deleting).toBe('s1');
    const current = games(two, told({ type: 'current', data: { session: 's2' } }));
    expect(current.games?.map((it) => it.isCurrent)).toEqual([false, true]);
  });

  test('a refusal stands beside its question and goes with it', () => {
    const asked = games(two, { type: 'askRename', id: 's1' });
    const refused = games(asked, { type: 'gameRefused', id: 's1', text: 'Too long.' });
    expect(refused).toMatchObject({ renaming: 's1', refusal: 'Too long.' });
    expect(games(asked, { type: 'gameRefused', id: 's2', text: 'Late.' }).refusal).toBeNull();
    expect(games(refused, { type: 'askDelete', id: 's2' }).refusal).toBeNull();
    const renamed = games(refused, { type: 'gameRenamed', id: 's1', title: 'Final' });
    expect(renamed).toMatchObject({ renaming: null, refusal: null });
    expect(renamed.games?.map(titleOf)).toEqual(['Final', 'Game s2']);
  });

  test('a title of another window arrives; a file without one is called a file', () => {
    const view = session({ id: 's2', title: 'Rematch' });
    const after = games(two, told({ type: 'session', data: view }));
    expect(after.games?.map(titleOf)).toEqual(['Game s1', 'Rematch']);
    expect(titleOf({ ...list[0], isUsable: false })).toBe('File s1');
    expect(titleOf({ ...list[0], players: ['You', 'First day'] })).toBe('You – First day');
  });

  test('a board whose game is deleted says so', () => {
    const events = [routed('s1'), { type: 'viewed', view: session(), at: 0 }] as const;
    const board = events.reduce(game, NO_GAME);
    expect(game(board, { type: 'gameDeleted', id: 's2' })).toBe(board);
    const after = game(board, told({ type: 'deleted', data: { session: 's1' } }));
    expect(after).toMatchObject({ session: null, missing: 'This game was deleted.' });
  });
});
