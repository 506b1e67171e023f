import { expect, test } from 'vitest';
import { firstChoice, newGameWish, opponentText } from './newgame';
import { session, settings } from './sample';

test('a dialog begins with what was chosen last, and with the engine of the game shown', () => {
  const choice = firstChoice(settings(), session({ engine: 'mcts', moveMs: 3000 }));
  expect(choice).toEqual({
    level: 'elo_1400',
    people: 'white',
    minutes: '5',
    engine: 'mcts',
    seconds: '3',
  });
  expect(firstChoice(settings(), null).engine).toBe('alphabeta');
  expect(firstChoice(settings(), session({ moveMs: 2500 })).seconds).toBe('3');
  expect(firstChoice(settings(), session({ moveMs: 7000 })).seconds).toBe('0');
});

test('a wish names the engine, and a time for its moves only if one was chosen', () => {
  const choice = firstChoice(settings(), null);
  expect(newGameWish(choice)).toEqual({
    mode: 'play',
    level: 'elo_1400',
    people: 'white',
    engine: 'alphabeta',
    timeControl: { initialMs: 300_000, incrementMs: 0 },
  });
  const wish = newGameWish({ ...choice, engine: 'mcts', seconds: '10' });
  expect([wish.engine, wish.moveMs]).toEqual(['mcts', 10_000]);
});

test('the engine that plays is named', () => {
  expect(opponentText(session())).toBe('Alpha-beta');
  expect(opponentText(session({ engine: 'mcts', moveMs: 500 }))).toBe('Monte Carlo, 0.5 s a move');
});
