import { describe, expect, test } from 'vitest';
import { Client } from '../api/client';
import type { Listener } from '../api/events';
import type { Review, SessionView } from '../api/wire';
import type { Event } from '../state/event';
import { analysis, node, session } from '../state/sample';
import { reduce, START, type State } from '../state/state';
import { createAct, readLogin } from './act';

const SETTINGS = { ui: { keys: {} }, play: {}, isFirstLaunch: false, warnings: [] };

/** A server that answers from a table, and a window without a browser. */
function window(answers: Record<string, unknown>) {
  const table: Record<string, unknown> = { ...answers };
  const asked: string[] = [];
  const bodies: unknown[] = [];
  const addresses: string[] = [];
  const aims: (string | null)[] = [];
  let state: State = START;
  let listener: Listener | null = null;
  const client = new Client((url, init) => {
    const what = `${init?.method} ${String(url)}`;
    asked.push(what);
    bodies.push(init?.body === undefined ? undefined : JSON.parse(String(init.body)));
    const known = { 'GET /api/settings': SETTINGS, 'GET /api/levels': [], ...table };
    const answer = (known as Record<string, unknown>)[what];
    if (answer === undefined) {
      const refusal = { code: 'no_such_session', message: `Nothing at ${what}` };
      return Promise.resolve(new Response(JSON.stringify(refusal), { status: 404 }));
    }
    return Promise.resolve(answer).then((it) => new Response(JSON.stringify(it)));
  });
  const act = createAct(
    client,
    () => state,
    (event: Event) => {
      state = reduce(state, event);
    },
    {
      now: () => 1000,
      later: () => {},
      address: (hash, how) => addresses.push(`${how} ${hash}`),
    },
    (it) => {
      listener = it;
      return {
        aim: (wanted) => {
          if (wanted !== aims.at(-1)) aims.push(wanted);
        },
        stop: () => {},
      };
    },
  );
  return {
    act,
    asked,
    bodies,
    addresses,
    aims,
    read: () => state,
    answer: (what: string, answer: unknown) => (table[what] = answer),
    hear: (event: Parameters<Listener['onevent']>[0]) => listener!.onevent(event),
    connection: (it: 'open' | 'lost') => listener!.onconnection(it),
  };
}

const settle = () => new Promise((done) => setTimeout(done, 0));
const tree = [node(0, null)];
const played = (over: Partial<SessionView> = {}) => session({ tree, ...over });

describe('the way in', () => {
  test('without an address: the current game, and its address', async () => {
    const it = window({ 'GET /api/sessions/current': played({ id: 's7' }) });
    await it.act.start('', null);
    expect(it.read().game.session?.id).toBe('s7');
    expect(it.addresses).toEqual(['replace #/play/s7']);
  });

  test('with an address: that game, whatever is current', async () => {
    const it = window({ 'GET /api/sessions/s2': played({ id: 's2' }) });
    await it.act.start('#/play/s2', null);
    expect(it.read().game.session?.id).toBe('s2');
    expect(it.asked).not.toContain('GET /api/sessions/current');
    it.hear({ type: 'current', data: { session: 's9' } });
    it.hear({ type: 'session', data: played({ id: 's9', node: 0, revision: 50 }) });
    await settle();
    expect(it.read().game.session?.id).toBe('s2');
    expect(it.asked.some((what) => what.includes('s9'))).toBe(false);
  });

  test('the stream follows the game that is shown', async () => {
    const it = window({
      'GET /api/sessions/s1': played(),
      'POST /api/sessions': played({ id: 's2' }),
    });
    await it.act.start('#/play/s1', null);
    it.act.send({ type: 'newGame', wish: { mode: 'play' } });
    await settle();
    await settle();
    it.hear({ type: 'deleted', data: { session: 's2' } });
    expect(it.aims).toEqual(['s1', 's2', null]);
  });

  test('a game that is not there is told at its place', async () => {
    const it = window({});
    await it.act.start('#/play/s404', null);
    expect(it.read().game.missing).toContain('Nothing at');
    expect(it.read().shell.toasts).toEqual([]);
  });

  test('the code of the address is swapped first', async () => {
    const it = window({
      'POST /api/login': {},
      'GET /api/sessions/current': played(),
    });
    await it.act.start('', readLogin('#code=secret'));
    expect(it.asked[0]).toBe('POST /api/login');
    expect(it.bodies[0]).toEqual({ code: 'secret' });
    expect(readLogin('#token=a%2Fb')).toEqual({ token: 'a/b' });
    expect(readLogin('#/play/s1')).toBeNull();
  });

  test('Review sets the game up: mode, position, analysis, what was found before', async () => {
    const it = window({
      'GET /api/sessions/s1': played(),
      'PATCH /api/sessions/s1': played({ revision: 2, mode: 'analyse' }),
      'POST /api/sessions/s1/goto': played({ revision: 3, mode: 'analyse', node: 4 }),
      'GET /api/sessions/s1/review': { session: 's1', isComplete: true, moves: [], mistakes: [] },
      'POST /api/sessions/s1/analysis': {
        session: 's1',
        node: 4,
        engine: 'alphabeta',
        generation: 1,
        status: 'running',
        lines: 1,
        follows: true,
        report: null,
      },
    });
    await it.act.start('#/review/s1/4?panel=notes', null);
    await settle();
    expect(it.read().shell.route).toEqual({
      place: 'review',
      id: 's1',
      node: 4,
      panel: 'notes',
    });
    expect(it.read().review.review?.isComplete).toBe(true);
    expect(it.read().game.analysis?.status).toBe('running');
  });
});

describe('wishes', () => {
  test('moves go one after the other, to the game of the window', async () => {
    const it = window({
      'GET /api/sessions/s1': played(),
      'POST /api/sessions/s1/moves': played({ revision: 2 }),
      'POST /api/sessions/s1/undo': played({ revision: 3 }),
    });
    await it.act.start('#/play/s1', null);
    it.act.send({ type: 'playSquare', square: 19 });
    it.act.send({ type: 'undo' });
    await settle();
    await settle();
    expect(it.asked.slice(-2)).toEqual([
      'POST /api/sessions/s1/moves',
      'POST /api/sessions/s1/undo',
    ]);
    expect(it.bodies.at(-2)).toEqual({ move: 'd3', node: 0 });
  });

  test('a square that cannot be played on asks nobody', async () => {
    const it = window({ 'GET /api/sessions/s1': played() });
    await it.act.start('#/play/s1', null);
    const before = it.asked.length;
    it.act.send({ type: 'playSquare', square: 0 });
    expect(it.asked).toHaveLength(before);
    expect(it.read().shell.spoken).toBe('a1 is not a legal move.');
  });

  test('a typed move that is refused gives the sentence back', async () => {
    const it = window({ 'GET /api/sessions/s1': played() });
    await it.act.start('#/play/s1', null);
    expect(await it.act.playText(' ')).toBeNull();
    expect(await it.act.playText('a1')).toBeNull();
    // The server no longer knows the game: that is told at its place, not beside the box.
    expect(it.read().game.missing).not.toBeNull();
  });

  test('a new game has an address of its own and a way back', async () => {
    const it = window({
      'GET /api/sessions/s1': played(),
      'POST /api/sessions': played({ id: 's2' }),
    });
    await it.act.start('#/play/s1', null);
    it.act.send({ type: 'newGame', wish: { mode: 'play' } });
    await settle();
    await settle();
    expect(it.addresses.at(-1)).toBe('push #/play/s2');
    expect(it.read().game.session?.id).toBe('s2');
    const begun = it.asked.indexOf('POST /api/sessions');
    expect(it.bodies[begun]).toEqual({ mode: 'play', leaves: 's1' });
  });

  test('an overlay is fetched once for a position', async () => {
    const overlays = {
      node: 0,
      isApproximate: false,
      mobility: [],
      parity: [],
      stability: [],
      corners: [],
      frontier: [],
    };
    const it = window({
      'GET /api/sessions/s1': played(),
      'GET /api/sessions/s1/nodes/0/overlays': overlays,
    });
    await it.act.start('#/play/s1', null);
    it.act.send({ type: 'overlay', name: 'parity' });
    it.act.send({ type: 'overlay', name: 'corners' });
    await settle();
    it.act.send({ type: 'overlay', name: 'frontier' });
    await settle();
    expect(it.asked.filter((what) => what.includes('overlays'))).toHaveLength(1);
    expect(it.read().game.overlays).toEqual(overlays);
  });

  test('the list of games comes with its place', async () => {
    const it = window({ 'GET /api/sessions': [] });
    await it.act.start('#/games', null);
    expect(it.read().games.games).toEqual([]);
  });

  test('a game is renamed and deleted from the list; a refusal stays with the question', async () => {
    const row = {
      id: 's1',
      revision: 1,
      mode: 'play',
      plies: 0,
      title: null,
      status: '',
      isUsable: true,
      isCurrent: true,
    };
    const it = window({
      'GET /api/sessions': [row],
      'PATCH /api/sessions/s1': played({ title: 'Final' }),
    });
    await it.act.start('#/games', null);
    it.act.send({ type: 'askRename', id: 's1' });
    it.act.send({ type: 'renameGame', id: 's1', title: ' Final ' });
    await settle();
    expect(it.bodies.at(-1)).toEqual({ title: 'Final' });
    expect(it.read().games.games?.[0]?.title).toBe('Final');
    const without = window({ 'GET /api/sessions': [row] });
    await without.act.start('#/games', null);
    without.act.send({ type: 'askRename', id: 's1' });
    without.act.send({ type: 'renameGame', id: 's1', title: 'Final' });
    await settle();
    expect(without.read().games.refusal).toContain('Nothing at PATCH');
    // The server does not know it any more: what the person wished for is so.
    without.act.send({ type: 'askDelete', id: 's1' });
    without.act.send({ type: 'deleteGame', id: 's1' });
    await settle();
    expect(without.asked.at(-1)).toBe('DELETE /api/sessions/s1');
    expect(without.read().games).toMatchObject({ games: [], deleting: null });
  });
});

test('a self-test tells what it found, or why there is nothing', async () => {
  const result = { ok: false, checks: [{ name: 'disk', ok: false, text: 'The disk is full.' }] };
  const it = window({ 'GET /api/sessions': [], 'GET /api/self-test': result });
  await it.act.start('#/games', null);
  it.act.send({ type: 'selfTest' });
  expect(it.read().shell.testing).toEqual({ state: 'running' });
  await settle();
  expect(it.read().shell.testing).toEqual({ state: 'done', result });
  const silent = window({ 'GET /api/sessions': [] });
  await silent.act.start('#/games', null);
  silent.act.send({ type: 'selfTest' });
  await settle();
  expect(silent.read().shell.testing).toMatchObject({ state: 'failed' });
});

test('a refused change of the engine is told beside its fields', async () => {
  const it = window({ 'GET /api/sessions': [] });
  await it.act.start('#/games', null);
  it.act.send({ type: 'setting', change: { engine: { weights: 'none.json' } } });
  await settle();
  expect(it.read().shell.engineRefusal).toContain('Nothing at PUT');
  expect(it.read().shell.toasts).toEqual([]);
});

const job = {
  id: 1,
  subject: { kind: 'review', session: 's1' },
  done: 0,
  total: 8,
  message: '',
  remainingMs: null,
  canPause: true,
} as const;

test('an analysis makes room for a review, and goes on after it', async () => {
  const it = window({
    'GET /api/sessions/s1': played({ mode: 'analyse' }),
    'POST /api/sessions/s1/analysis': analysis(),
    'DELETE /api/sessions/s1/analysis': analysis({ status: 'stopped' }),
    'POST /api/sessions/s1/review': { ...job, state: 'running' },
    'GET /api/sessions/s1/review': { session: 's1', isComplete: false, moves: [], mistakes: [] },
  });
  await it.act.start('#/review/s1', null);
  expect(it.read().game.analysis?.status).toBe('running');
  it.act.send({ type: 'startReview' });
  await settle();
  await settle();
  expect(it.asked.indexOf('DELETE /api/sessions/s1/analysis')).toBeLessThan(
    it.asked.indexOf('POST /api/sessions/s1/review'),
  );
  expect(it.read().game.analysis?.status).toBe('stopped');
  const before = it.asked.length;
  it.hear({ type: 'job', data: { ...job, state: 'finished', done: 8 } });
  await settle();
  expect(it.asked.slice(before)).toEqual(['POST /api/sessions/s1/analysis']);
});

test('a review that ended before the stream began makes room for an analysis, too', async () => {
  const it = window({
    'GET /api/sessions/s1': played({ mode: 'analyse', isFinished: true }),
    'GET /api/sessions/s1/review': { session: 's1', isComplete: false, moves: [], mistakes: [] },
    'POST /api/sessions/s1/review': { ...job, state: 'waiting' },
    'POST /api/sessions/s1/analysis': analysis(),
  });
  await it.act.start('#/review/s1', null);
  expect(it.asked).not.toContain('POST /api/sessions/s1/analysis');
  it.connection('open');
  it.hear({ type: 'job', data: { ...job, state: 'finished', done: 8 } });
  await settle();
  expect(it.asked.at(-1)).toBe('POST /api/sessions/s1/analysis');
});

test('whoever comes back to a game waits for the end of its analysis, and has a new one', async () => {
  let stop!: (stopped: unknown) => void;
  const it = window({
    'GET /api/sessions/s1': played({ mode: 'analyse' }),
    'GET /api/sessions/s2': played({ id: 's2', mode: 'analyse' }),
    'POST /api/sessions/s1/analysis': analysis(),
    'DELETE /api/sessions/s1/analysis': new Promise((done) => (stop = done)),
  });
  await it.act.start('#/review/s1', null);
  it.act.moved('#/review/s2');
  await settle();
  const before = it.asked.length;
  it.answer('POST /api/sessions/s1/analysis', analysis({ generation: 3 }));
  it.act.moved('#/review/s1');
  await settle();
  expect(it.asked).toHaveLength(before);
  stop(analysis({ generation: 2, status: 'stopped' }));
  await settle();
  await settle();
  expect(it.asked.at(-1)).toBe('POST /api/sessions/s1/analysis');
  expect(it.read().game.analysis).toMatchObject({ generation: 3, status: 'running' });
});

test('after a gap in the stream the game is read anew', async () => {
  const it = window({ 'GET /api/sessions/s1': played() });
  await it.act.start('#/play/s1', null);
  it.connection('open');
  const before = it.asked.length;
  it.connection('lost');
  it.connection('open');
  await settle();
  expect(it.asked.slice(before)).toEqual(['GET /api/sessions/s1']);
});

describe('patches', () => {
  test('one that fits is applied, one that does not is replaced by the whole', async () => {
    const whole = played({ revision: 9, tree: [node(0, null), node(1, 0), node(2, 1)] });
    const it = window({ 'GET /api/sessions/s1': played({ revision: 4 }) });
    await it.act.start('#/play/s1', null);
    await settle();
    const patch = (base: number, revision: number) => ({
      type: 'patch' as const,
      data: {
        base,
        view: played({ revision, tree: [] }),
        changed: [node(revision, 0)],
        removed: [],
      },
    });
    it.hear(patch(4, 5));
    expect(it.read().game.session?.tree.map((one) => one.id)).toEqual([0, 5]);
    const before = it.asked.length;
    it.answer('GET /api/sessions/s1', whole);
    it.hear(patch(7, 8));
    await settle();
    expect(it.asked.slice(before)).toEqual(['GET /api/sessions/s1']);
    expect(it.read().game.session?.revision).toBe(9);
    it.hear(patch(6, 7));
    expect(it.asked).toHaveLength(before + 1);
  });
});

test('an address with a position is where the reader stays; one without leads to a mistake', async () => {
  const line = [0, 1, 2, 3, 4];
  const nodes = line.map((id) => node(id, id === 0 ? null : id - 1));
  const at = (id: number, revision: number) =>
    played({ mode: 'analyse', people: 'both', tree: nodes, line, node: id, revision });
  const found = {
    session: 's1',
    isComplete: true,
    moves: [{ node: 4, side: 'white', loss: 900 }],
    mistakes: [4],
  };
  const opened = async (hash: string, review: object) => {
    const it = window({
      'GET /api/sessions/s1': at(4, 1),
      'GET /api/sessions/s1/review': review,
      'POST /api/sessions/s1/analysis': {},
      'POST /api/sessions/s1/goto': at(2, 2),
    });
    await it.act.start(hash, null);
    it.hear({ type: 'review', data: found as unknown as Review });
    await settle();
    return it.bodies.filter((body) => body !== undefined && 'node' in (body as object));
  };
  expect(await opened('#/review/s1', found)).toEqual([{ node: 3 }]);
  expect(await opened('#/review/s1/2', found)).toEqual([{ node: 2 }]);
  expect(await opened('#/review/s1/4', found)).toEqual([]);
  // Nor is the reader taken away when the review comes later.
  const early = { ...found, isComplete: false, moves: [], mistakes: [] };
  expect(await opened('#/review/s1', early)).toEqual([{ node: 3 }]);
  expect(await opened('#/review/s1/2', early)).toEqual([{ node: 2 }]);
});

test('the next mistake is counted from where the walk under way ends', async () => {
  const line = [0, 1, 2, 3, 4];
  const nodes = line.map((id) => node(id, id === 0 ? null : id - 1));
  const at = (id: number, revision: number) =>
    played({ mode: 'analyse', people: 'both', tree: nodes, line, node: id, revision });
  const it = window({
    'GET /api/sessions/s1': at(4, 1),
    'GET /api/sessions/s1/review': {
      session: 's1',
      isComplete: true,
      moves: [
        { node: 2, side: 'white', loss: 500 },
        { node: 4, side: 'white', loss: 900 },
      ],
      mistakes: [2, 4],
    },
    'POST /api/sessions/s1/analysis': {},
    'POST /api/sessions/s1/goto': at(0, 2),
  });
  await it.act.start('#/review/s1', null);
  await settle();
  // At once it goes to the biggest mistake.
  expect(it.bodies).toContainEqual({ node: 3 });
  const before = it.bodies.length;
  it.act.send({ type: 'step', step: 'first' });
  it.act.send({ type: 'mistake', forward: true });
  await settle();
  const walked = it.bodies.slice(before).filter((body) => body !== undefined);
  // A mistake is shown where it can still be avoided.
  expect(walked).toEqual([{ step: 'first' }, { node: 1 }]);
});
