import { expect, test } from 'vitest';
import type { Level, LevelKind } from '../api/wire';
import {
  chanceText,
  firstChoice,
  keptText,
  nearest,
  newGameWish,
  offeredBy,
  opponentOf,
  opponentText,
  place,
  ratingText,
  takesTime,
} from './newgame';
import { session, settings } from './sample';

const worth = (rating: number, error = 40) => ({
  rating,
  low: rating - error,
  high: rating + error,
  games: 200,
});

const level = (name: string, kind: LevelKind, rating: number | null, depth: number | null = 4) => ({
  name,
  kind,
  title: name.toUpperCase(),
  description: 'A sentence.',
  worth: rating === null ? null : worth(rating),
  depth,
  timeMs: 1000,
  isDefault: false,
});

const LEVELS: Level[] = [
  level('first_day', 'opponent', 400),
  level('fader', 'opponent', 1240),
  level('full', 'opponent', null, null),
  level('elo_1400', 'fixed', 1300),
  level('greedy', 'bot', 1310),
];

const game = (more: object) => session({ mode: 'play', level: 'fader', outcome: null, ...more });

test('a dialog begins with what was chosen last, and with the engine of the game shown', () => {
  const choice = firstChoice(settings(), session({ engine: 'mcts', moveMs: 3000 }), LEVELS);
  expect(choice).toEqual({
    tab: 'engine',
    level: 'elo_1400',
    people: 'white',
    minutes: '5',
    engine: 'mcts',
    seconds: '3',
  });
  const without = firstChoice(settings(), null, LEVELS);
  expect([without.engine, without.tab]).toEqual(['alphabeta', 'fixed']);
  expect(firstChoice(settings(), session({ moveMs: 2500 })).seconds).toBe('3');
  expect(firstChoice(settings(), session({ moveMs: 7000 })).seconds).toBe('0');
});

test('the opponent nearest to the person is chosen; bots and fixed levels are not', () => {
  expect(nearest(LEVELS, null)).toBeUndefined();
  expect(nearest(LEVELS, worth(1310))?.name).toBe('fader');
  expect(nearest(LEVELS, worth(300))?.name).toBe('first_day');
  expect(nearest([], worth(300))).toBeUndefined();
  const choice = firstChoice(settings(), null, LEVELS, worth(1310));
  expect([choice.tab, choice.level]).toEqual(['opponent', 'fader']);
});

test('ratings and chances are words', () => {
  expect(ratingText(worth(1240, 25))).toBe('1240 ± 25');
  expect(ratingText(null)).toBe('not rated');
  const chance = (rating: number) => chanceText(worth(rating), worth(1310));
  expect(chance(410)).toBe('you win almost always');
  expect(chance(1240)).toBe('you win about 6 in 10');
  expect(chance(1460)).toBe('you win about 3 in 10');
  expect(chance(2040)).toBe('you win almost never');
  expect(chanceText(null, worth(1310))).toBe('');
  expect(chanceText(worth(1310), null)).toBe('');
});

test('places on the scale stay on it', () => {
  const opponents = LEVELS.filter((it) => it.kind === 'opponent');
  expect([place(400, opponents), place(1240, opponents)]).toEqual([4, 96]);
  expect([place(-500, opponents), place(9999, opponents)]).toEqual([4, 96]);
});

test('a game under way is kept, and the dialog says so', () => {
  expect(keptText(game({ line: [0, 1, 2] }), LEVELS)).toBe(
    'Your game against FADER (move 2) is kept in Games.',
  );
  expect(keptText(game({ line: [0, 1], people: 'both' }), LEVELS)).toBe(
    'Your game (move 1) is kept in Games.',
  );
  expect(keptText(game({ line: [0] }), LEVELS)).toBe('');
  expect(keptText(game({ line: [0, 1], mode: 'analyse' }), LEVELS)).toBe('');
  expect(keptText(null, LEVELS)).toBe('');
});

test('a wish names the engine, and a time for its moves only if one was chosen', () => {
  const choice = firstChoice(settings(), null, LEVELS);
  expect(newGameWish(choice)).toEqual({
    mode: 'play',
    level: 'elo_1400',
    people: 'white',
    engine: 'alphabeta',
    timeControl: { initialMs: 300_000, incrementMs: 0 },
  });
  const wish = newGameWish({ ...choice, tab: 'engine', engine: 'mcts', seconds: '10' });
  expect([wish.level, wish.engine, wish.moveMs]).toEqual(['full', 'mcts', 10_000]);
  // Another list than the engines means our own search.
  expect(opponentOf({ ...choice, engine: 'mcts' })).toEqual(['elo_1400', 'alphabeta']);
});

test('only who has no depth makes use of more time', () => {
  const choice = firstChoice(settings(), null, LEVELS);
  expect(takesTime(choice, LEVELS)).toBe(false);
  expect(takesTime({ ...choice, tab: 'engine' }, LEVELS)).toBe(true);
  expect(takesTime({ ...choice, tab: 'opponent', level: 'full' }, LEVELS)).toBe(true);
});

test('the engine that plays is named', () => {
  expect(opponentText(session())).toBe('Alpha-beta');
  expect(opponentText(session({ engine: 'mcts', moveMs: 500 }))).toBe('Monte Carlo, 0.5 s a move');
});

test('a list without tabs has the opponents first and no bots', () => {
  const groups = offeredBy(LEVELS);
  expect(groups.map((it) => it.title)).toEqual(['Opponents', 'Fixed levels']);
  expect(groups.flatMap((it) => it.levels.map(({ kind }) => kind))).not.toContain('bot');
});
