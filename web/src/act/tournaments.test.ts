import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TournamentState, TournamentView } from '../api/wire';
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
