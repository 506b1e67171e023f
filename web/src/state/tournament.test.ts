import { describe, expect, test } from 'vitest';
import type { TournamentBoards, TournamentGames, TournamentView } from '../api/wire';
import {
  boardValue,
  curveText,
  duration,
  gamesText,
  percent,
  signed,
  testWords,
  tournaments,
  TOURNAMENTS_START,
  whiskers,
  type TournamentsView,
} from './tournament';
import { draftOf, nGames, unlike, wishOf, type Choice } from './tournamentdraft';

const view = (
  id: number,
  state: TournamentView['summary']['state'] = 'running',
): TournamentView => ({
  summary: {
    id,
    name: 'League',
    game: 'othello',
    state,
    pairs: 5,
    pairsAsked: 20,
    games: 10,
    engines: ['a', 'b'],
    description: '',
    problem: null,
  },
  job: null,
  standings: [],
  crosstable: [],
  test: null,
  llrCurve: { pairs: [], values: [], errors: [] },
  eloCurve: { pairs: [], values: [], errors: [] },
  ratingCurves: [],
  incidents: [],
  ends: [],
  openings: [],
  firstMoveElo: null,
  firstMoveError: null,
  drawShare: null,
  champion: null,
});

const boards: TournamentBoards = {
  pairs: 5,
  boards: [
    {
      worker: 0,
      pair: 5,
      game: 1,
      black: 'a',
      white: 'b',
      position: {
        kind: 'othello',
        board: '-'.repeat(64),
        turn: 'black',
        black: 0,
        white: 0,
        empties: 64,
      },
      last: null,
      plies: 0,
      blackMs: null,
      whiteMs: null,
      blackThinks: null,
      whiteThinks: null,
    },
  ],
};

describe('the tournaments of a window', () => {
  const entered = tournaments(TOURNAMENTS_START, { type: 'entered', id: 3 });

  test('takes answers about the tournament that is shown, and no others', () => {
    const shown = tournaments(entered, { type: 'viewed', view: view(3) });
    expect(shown.view?.summary.id).toBe(3);
    expect(tournaments(shown, { type: 'viewed', view: view(4) })).toBe(shown);
    expect(tournaments(shown, { type: 'boarded', id: 4, boards })).toBe(shown);
    expect(tournaments(shown, { type: 'boarded', id: 3, boards }).boards).toHaveLength(1);
  });

  test('forgets boards when nothing is played any more', () => {
    let state: TournamentsView = tournaments(entered, { type: 'viewed', view: view(3) });
    state = tournaments(state, { type: 'boarded', id: 3, boards });
    state = tournaments(state, { type: 'viewed', view: view(3, 'paused') });
    expect(state.boards).toHaveLength(1);
    state = tournaments(state, { type: 'viewed', view: view(3, 'finished') });
    expect(state.boards).toHaveLength(0);
  });

  test('keeps the list when another tournament is entered, and nothing else', () => {
    let state = tournaments(entered, { type: 'listed', list: [view(3).summary] });
    state = tournaments(state, { type: 'enlarge', worker: 0 });
    state = tournaments(state, { type: 'entered', id: 4 });
    expect(state.list).toHaveLength(1);
    expect(state.enlarged).toBeNull();
    expect(tournaments(state, { type: 'entered', id: 4 })).toBe(state);
  });

  test('shows the games of the latest question', () => {
    const found: TournamentGames = { total: 0, games: [] };
    const [first, second] = [{ of: 'all' } as const, { of: 'faults' } as const];
    let state = tournaments(entered, { type: 'gamesAsked', wish: first });
    state = tournaments(state, { type: 'gamesAsked', wish: second });
    expect(tournaments(state, { type: 'gamesFound', wish: first, found })).toBe(state);
    state = tournaments(state, { type: 'gamesFound', wish: second, found });
    expect(state.games?.found).toBe(found);
  });
});

describe('what is said about a tournament', () => {
  test('counts games by pairs', () => {
    expect(gamesText(view(1).summary)).toBe('10 of 40 games');
    expect(gamesText({ ...view(1).summary, pairs: 0, games: 0 })).toBe('0 of 40 games');
  });

  test('writes numbers for people', () => {
    expect(signed(-13.4)).toBe('\u221213');
    expect(signed(0.2)).toBe('0');
    expect(percent(0.794)).toBe('79 %');
    expect(percent(0.9996)).toBe('> 99.9 %');
    expect(percent(1)).toBe('> 99.9 %');
    expect(percent(null)).toBe('–');
    expect(duration(10.42)).toBe('10.4 ms');
    expect(duration(1234)).toBe('1.2 s');
  });

  test('draws all intervals on one scale', () => {
    const marks = whiskers([
      { elo: 50, eloError: 50 },
      { elo: null, eloError: null },
      { elo: -50, eloError: 50 },
    ]);
    expect(marks[0]).toEqual({ zero: 50, low: 50, high: 100, at: 75 });
    expect(marks[1]).toBeNull();
    expect(marks[2]?.low).toBe(0);
  });

  test('asks the question of a test', () => {
    const verdict = {
      elo0: 0,
      elo1: 40,
      alpha: 0.05,
      beta: 0.05,
      model: 'logistic',
      llr: 1,
      lower: -2.94,
      upper: 2.94,
      decided: null,
      pairs: [0, 0, 0, 0, 0] as [number, number, number, number, number],
      elo: null,
      eloError: null,
    };
    const words = testWords(['dev', '0.6'], verdict);
    expect(words.question).toBe('Is dev better than 0.6?');
    expect(words.note).toContain('one time in 20');
    expect(words.no).toBe('no: not better');
  });

  test('tells a curve to those who do not see it', () => {
    expect(curveText('Elo', { pairs: [], values: [], errors: [] })).toBe('Elo: nothing yet.');
    const curve = { pairs: [1, 2], values: [3, 12.4], errors: [null, 20] };
    expect(curveText('Elo', curve)).toBe('Elo: +12 plus or minus 20 after 2 pairs.');
  });

  test('sees values from one side', () => {
    expect(boardValue('othello', 'white', 150)).toBe('\u22121.5');
    expect(boardValue('chess', 'white', 150)).toBe('+1.5');
    expect(boardValue('chess', 'white', undefined)).toBe('–');
  });
});

describe('a tournament that is being made', () => {
  const choices: Choice[] = [
    ...Array.from({ length: 9 }, (_, at) => ({
      who: `level:elo_${at}`,
      title: `Level ${at}`,
      game: 'othello' as const,
    })),
    { who: 'engine:cedar', title: 'Cedar', game: 'chess' },
  ];

  test('begins with engines that are there, from the weakest to the strongest', () => {
    const draft = draftOf('league', 'othello', choices);
    expect(draft.engines.map((it) => it.who)).toEqual([
      'level:elo_0',
      'level:elo_3',
      'level:elo_5',
      'level:elo_8',
    ]);
    expect(nGames(draft)).toBe(6 * 10 * 2);
    expect(draftOf('league', 'chess', choices).engines).toHaveLength(1);
  });

  test('sends what matters to the game', () => {
    const draft = draftOf('test', 'othello', choices);
    draft.tables = '/tables';
    draft.openings = ' xot.txt ';
    draft.engines[0] = { who: 'engine:x', name: ' X ', limit: 'nodes', value: '500' };
    const wish = wishOf(draft);
    expect(wish.tables).toBeUndefined();
    expect(wish.time).toBeUndefined();
    expect(wish.openings).toEqual({ file: 'xot.txt', random: true });
    expect(wish.sprt).toMatchObject({ elo0: 0, elo1: 10, alpha: 0.05 });
    expect(wish.engines[0]).toEqual({ name: 'X', engine: 'x', nodes: 500 });
    expect(wish.engines[1]).toEqual({ name: 'Level 8', level: 'elo_8' });
  });

  test('tells engines of one name apart', () => {
    const one = { who: 'level:a', name: 'A', limit: 'own', value: '' } as const;
    expect(unlike([one, one]).map((it) => it.name)).toEqual(['A', 'A (2)']);
  });
});
