import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TournamentGame, TournamentState, TournamentView } from '../api/wire';
import { Tournaments } from './tournaments.svelte';

const view = (state: TournamentState) =>
  ({ summary: { id: 1, state, pairs: 0, pairsAsked: 9, games: 0 } }) as unknown as TournamentView;

function around(state: { now: TournamentState; pairs: number }) {
  const asked: string[] = [];
  const ask = async <T>(method: string, path: string): Promise<T> => {
    asked.push(`${method} ${path}`);
    const answer = path.endsWith('/boards') ? { pairs: state.pairs, boards: [] } : view(state.now);
    return answer as T;
  };
  return { asked, ask, send: vi.fn() };
}

const games = (from: number) =>
  [0, 1, 2].map((at) => ({ pair: 9 - from - at, game: 0 })) as unknown as TournamentGame[];

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a running tournament is looked at twice a second, its tables once when pairs are finished', async () => {
  const state = { now: 'running' as TournamentState, pairs: 0 };
  const outside = around(state);
  let now = 0;
  const tournaments = new Tournaments(outside, () => now);
  await tournaments.enter(1);
  await vi.advanceTimersByTimeAsync(0);
  const count = (path: string) => outside.asked.filter((it) => it.endsWith(path)).length;
  const before = { boards: count('/boards'), views: count('/1') };
  for (let at = 0; at < 10; at += 1) {
    now += 500;
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(count('/boards') - before.boards).toBe(10);
  expect(count('/1') - before.views, 'once, for the number that it saw first').toBeLessThanOrEqual(
    1,
  );
  state.pairs = 50;
  now += 1500;
  await vi.advanceTimersByTimeAsync(1000);
  expect(count('/1')).toBeGreaterThan(before.views);

  state.now = 'finished';
  state.pairs = 51;
  now += 1500;
  await vi.advanceTimersByTimeAsync(2000);
  const over = outside.asked.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(outside.asked.length, 'nothing is asked about a tournament that is over').toBe(over);
});

test('who leaves and comes back looks once, not twice as often', async () => {
  const outside = around({ now: 'running', pairs: 0 });
  const tournaments = new Tournaments(outside, () => 0);
  await tournaments.enter(1);
  tournaments.leave();
  await tournaments.enter(1);
  await vi.advanceTimersByTimeAsync(0);
  const before = outside.asked.length;
  await vi.advanceTimersByTimeAsync(5000);
  expect(outside.asked.length - before).toBeLessThanOrEqual(11);
  tournaments.leave();
  const left = outside.asked.length;
  await vi.advanceTimersByTimeAsync(5000);
  expect(outside.asked.length).toBeLessThanOrEqual(left + 1);
});

test('a tournament that another program plays is read every few seconds', async () => {
  const state = { now: 'elsewhere' as TournamentState, pairs: 0 };
  const outside = around(state);
  const tournaments = new Tournaments(outside, () => 0);
  await tournaments.enter(1);
  await vi.advanceTimersByTimeAsync(0);
  const before = outside.asked.length;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(outside.asked.length - before).toBe(10);
  expect(outside.asked.some((it) => it.endsWith('/boards'))).toBe(false);
  state.now = 'finished';
  await vi.advanceTimersByTimeAsync(3000);
  const over = outside.asked.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(outside.asked.length).toBe(over);
});

test('older games are asked for behind those that are shown', async () => {
  const asked: string[] = [];
  const ask = async <T>(_method: string, path: string): Promise<T> => {
    asked.push(path);
    const from = Number(new URLSearchParams(path.split('?')[1]).get('from') ?? 0);
    // One more game was finished before the second question.
    return { total: 7, games: games(from === 0 ? 0 : from - 1) } as T;
  };
  const tournaments = new Tournaments({ ask, send: vi.fn() }, () => 0);
  tournaments.send({ type: 'entered', id: 1 });
  tournaments.send({ type: 'gamesAsked', wish: { of: 'all' } });
  await vi.advanceTimersByTimeAsync(0);
  await tournaments.moreGames();
  expect(asked.at(-1)).toContain('from=3');
  const pairs = tournaments.state.games?.found?.games.map((it) => it.pair);
  expect(pairs).toEqual([9, 8, 7, 6, 5]);
});
