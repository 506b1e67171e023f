import { describe, expect, test } from 'vitest';
import type { Job, ServerEvent } from '../api/wire';
import type { Event } from './event';
import { shell, SHELL_START, unfinished, type ShellState } from './shell';

const after = (...events: Event[]): ShellState => events.reduce(shell, SHELL_START);
const server = (event: ServerEvent): Event => ({ type: 'server', event, at: 0 });
const play: Event = { type: 'routed', route: { place: 'play', id: 's1' } };

const job = (id: number, state: Job['state'] = 'running'): Job => ({
  id,
  subject: { kind: 'review', session: 's1' },
  state,
  done: 0,
  total: 10,
  message: '',
  remainingMs: null,
  canPause: true,
});
const told = (it: Job) => server({ type: 'job', data: it });
const tell = (text: string): Event => ({ type: 'told', level: 'info', text });

describe('where the window is', () => {
  test('the list knows the way back, and no dialog comes along', () => {
    const state = after(
      play,
      { type: 'dialog', name: 'help' },
      { type: 'routed', route: { place: 'games', tab: 'found' } },
    );
    expect(state).toMatchObject({ lastSession: 's1', dialog: null });
  });
});

const deleted = (session: string) => server({ type: 'deleted', data: { session } });

test('no way leads back to a deleted game', () => {
  expect(after(play, deleted('s1')).lastSession).toBeNull();
  expect(after(play, { type: 'gameDeleted', id: 's1' }).lastSession).toBeNull();
  expect(after(play, deleted('s2')).lastSession).toBe('s1');
});

test('the result of a self-test goes with its dialog', () => {
  const result = { ok: true, checks: [{ name: 'disk', ok: true, text: 'Writable.' }] };
  const done: Event = { type: 'testing', state: { state: 'done', result } };
  const help: Event = { type: 'dialog', name: 'help' };
  expect(after(help, done).testing).toEqual({ state: 'done', result });
  expect(after(help, done, { type: 'dialog', name: null }, help).testing).toBeNull();
});

test('a refusal of the engine stands until its dialog closes', () => {
  const refused: Event = { type: 'engineRefused', text: 'No such file.' };
  expect(after(refused).engineRefusal).toBe('No such file.');
  expect(after(refused, { type: 'dialog', name: null }).engineRefusal).toBeNull();
});

describe('jobs', () => {
  test('never go back, whatever order answers and events arrive in', () => {
    const finished = after(told(job(1)), told(job(1, 'finished')), told(job(1, 'waiting')));
    expect(unfinished(finished.jobs)).toBe(0);
    const further = after(told({ ...job(1), done: 5 }), told({ ...job(1), done: 2 }));
    expect(further.jobs[0]?.done).toBe(5);
  });

  test('are kept by number; those under way are counted', () => {
    const state = after(told(job(1)), told(job(2)), told({ ...job(1), done: 5 }));
    expect(state.jobs.map((it) => [it.id, it.done])).toEqual([
      [1, 5],
      [2, 0],
    ]);
    expect(unfinished(state.jobs)).toBe(2);
    expect(unfinished(shell(state, told(job(2, 'cancelled'))).jobs)).toBe(1);
  });

  test('are told anew by the stream after a gap', () => {
    const lost: Event = { type: 'connection', state: 'lost' };
    const open: Event = { type: 'connection', state: 'open' };
    expect(after(told(job(1)), open, open).jobs).toHaveLength(1);
    expect(after(told(job(1)), lost).jobs).toHaveLength(1);
    expect(after(told(job(1)), lost, open).jobs).toHaveLength(0);
  });
});

describe('messages', () => {
  test('three at most, none twice, each with its own number', () => {
    const state = after(tell('a'), tell('b'), tell('a'), tell('c'), tell('d'));
    expect(state.toasts.map((it) => it.text)).toEqual(['a', 'c', 'd']);
    expect(new Set(state.toasts.map((it) => it.id)).size).toBe(3);
    const [first] = state.toasts;
    expect(shell(state, { type: 'dismiss', toast: first!.id }).toasts).toHaveLength(2);
  });

  test('what the server tells is told', () => {
    const notice = { level: 'warning', message: 'Odd.' } as const;
    expect(after(server({ type: 'notice', data: notice })).toasts[0]).toMatchObject({
      level: 'warning',
      text: 'Odd.',
    });
  });

  test('the same sentence is said again, not swallowed', () => {
    const once = after({ type: 'said', text: 'Hello' });
    const twice = shell(once, { type: 'said', text: 'Hello' });
    expect(twice.spoken).not.toBe(once.spoken);
    expect(twice.spoken.trim()).toBe('Hello');
  });
});

test('an import opens its dialog, and closing the dialog forgets it', () => {
  const reading = { state: 'reading', result: null, problem: '' } as const;
  const state = after({ type: 'import', state: reading });
  expect(state).toMatchObject({ dialog: 'paste', import: reading });
  expect(shell(state, { type: 'dialog', name: null })).toMatchObject({
    dialog: null,
    import: null,
  });
});
