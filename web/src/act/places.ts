// What a window does on the way to a place, and the games to open there.

import type { Mode, NewGame, SessionView } from '../api/wire';
import { runningReview } from '../state/review';
import { formatRoute, sessionOf, type Route } from '../state/route';
import { isAnalysing } from '../state/show';
import { loadReview, startAnalysis, stopAnalysis } from './coach';
import { isCode, sentence, type Context } from './context';
import { changeSettings } from './settings';
import { openAtMistake, reviewAtOnce } from './tries';
import type { Handlers } from './wish';

const MODES: Record<'play' | 'review', Mode> = { play: 'play', review: 'analyse' };

/** Where a session is looked at, by what it is for. */
export function routeOf(view: Pick<SessionView, 'id' | 'mode' | 'node'>): Route {
  return view.mode === 'play'
    ? { place: 'play', id: view.id }
    : { place: 'review', id: view.id, node: view.node, panel: null };
}

/** Shows a place and gets what it needs. */
export function enter(context: Context): (route: Route) => Promise<void> {
  /** What ends the analysis of a game that was left. */
  const ends = new Map<string, Promise<void>>();
  return async (route) => {
    const before = context.read().game;
    context.dispatch({ type: 'routed', route });
    const left = before.id !== null && before.id !== sessionOf(route) && isAnalysing(before);
    if (left) ends.set(before.id, stopAnalysis(context, before.id));
    if (route.place === 'start') return enterStart(context);
    if (route.place === 'games') return loadGames(context);
    if (route.place === 'play' || route.place === 'review') {
      // Whoever comes back would find an analysis that is about to end, or have the new one ended.
      if (ends.has(route.id)) await ends.get(route.id);
      return enterBoard(context, route);
    }
  };
}

async function enterStart(context: Context): Promise<void> {
  try {
    const view = await context.client.session('current');
    if (context.read().shell.route.place !== 'start') return;
    const route = routeOf(view);
    context.outside.address(formatRoute(route), 'replace');
    context.dispatch({ type: 'routed', route });
    context.show(view);
    await begin(context, route);
  } catch (error) {
    context.tell(sentence(error), 'error');
  }
}

async function enterBoard(
  context: Context,
  route: Extract<Route, { place: 'play' | 'review' }>,
): Promise<void> {
  const { id } = route;
  const { client } = context;
  if (context.session?.id !== id) {
    try {
      context.show(await client.session(id));
    } catch (error) {
      context.gone(id, error);
      return;
    }
  }
  const mode = MODES[route.place];
  if (context.session?.mode !== mode) await context.act(() => client.changeSession(id, { mode }));
  const node = route.place === 'review' ? route.node : null;
  if (node !== null && context.session?.node !== node) {
    await context.act(() => client.goto(id, { node }));
  }
  // The person may have gone on while the server answered.
  if (context.read().game.id === id) await begin(context, route, node !== null);
}

/** What runs by itself at a place; the address may have named a position. */
async function begin(context: Context, route: Route, isPlaced = false): Promise<void> {
  const { game } = context.read();
  const { session } = game;
  if (session === null) return;
  if (route.place === 'review') {
    await loadReview(context, session.id);
    if (context.read().game.id !== session.id) return;
    await reviewAtOnce(context, isPlaced);
    await openAtMistake(context);
    const reviewing = runningReview(context.read().shell.jobs, session.id) !== null;
    if (!isAnalysing(context.read().game) && !reviewing) await startAnalysis(context);
  } else if (isAnalysing(game) && !session.showValues) {
    await stopAnalysis(context, session.id);
  }
}

async function loadGames(context: Context): Promise<void> {
  try {
    context.dispatch({ type: 'gamesLoaded', games: await context.client.sessions() });
  } catch (error) {
    context.dispatch({ type: 'gamesFailed', text: sentence(error) });
  }
}

async function deleteGame(context: Context, id: string): Promise<void> {
  try {
    await context.client.deleteSession(id);
  } catch (error) {
    // Another window was quicker: the game is gone, as the person wished.
    if (!isCode(error, 'no_such_session')) {
      context.dispatch({ type: 'gameRefused', id, text: sentence(error) });
      return;
    }
  }
  context.dispatch({ type: 'gameDeleted', id });
  context.say('Deleted');
}

async function renameGame(context: Context, id: string, title: string): Promise<void> {
  try {
    const view = await context.client.changeSession(id, { title: title.trim() });
    context.show(view);
    context.dispatch({ type: 'gameRenamed', id, title: view.title });
  } catch (error) {
    context.dispatch({ type: 'gameRefused', id, text: sentence(error) });
  }
}

/** Begins a game and goes there. */
async function newGame(context: Context, wish: NewGame): Promise<void> {
  context.dispatch({ type: 'dialog', name: null });
  context.dispatch({ type: 'welcomed' });
  try {
    const { id } = context.read().game;
    const view = await context.client.newGame(id === null ? wish : { ...wish, leaves: id });
    const route = routeOf(view);
    context.outside.address(formatRoute(route), 'push');
    context.dispatch({ type: 'routed', route });
    context.show(view);
    await begin(context, route);
  } catch (error) {
    context.tell(sentence(error), 'warning');
  }
}

export function places(
  context: Context,
): Handlers<
  | 'go'
  | 'newGame'
  | 'playHere'
  | 'welcome'
  | 'read'
  | 'readFiles'
  | 'openImported'
  | 'loadGames'
  | 'deleteGame'
  | 'renameGame'
> {
  return {
    go({ route }) {
      context.outside.address(formatRoute(route), 'push');
      return context.enter(route);
    },
    newGame: ({ wish }) => newGame(context, wish),
    playHere({ wish }) {
      const { session } = context;
      if (session === null) return;
      const from = { session: session.id, node: session.node };
      return newGame(context, { ...wish, mode: 'play', from });
    },
    async welcome({ level }) {
      await changeSettings(context, { play: { level } });
      await newGame(context, { mode: 'play', level });
    },
    read: ({ content, name }) => read(context, content, name),
    /** Names come before the games that use them; of several files of games the last is shown. */
    async readFiles({ files }) {
      const sorted = files.toSorted((a, b) => Number(isNames(b)) - Number(isNames(a)));
      for (const file of sorted) await read(context, file, file.name);
    },
    openImported: ({ result, game }) => open(context, result.id, game, result.format),
    loadGames: () => loadGames(context),
    deleteGame: ({ id }) => deleteGame(context, id),
    renameGame: ({ id, title }) => renameGame(context, id, title),
  };
}

/** Files of WTHOR names, which have no games of their own. */
export const isNames = (file: Pick<File, 'name'>) => /\.(jou|trn)$/i.test(file.name);

async function read(context: Context, content: Blob | string, name?: string): Promise<void> {
  const reading = { state: 'reading', result: null, problem: '' } as const;
  context.dispatch({ type: 'import', state: reading });
  try {
    const result = await context.client.importGames(content, name);
    context.dispatch({ type: 'import', state: { state: 'read', result, problem: '' } });
    if (result.total === 1 && result.nProblems === 0) {
      await open(context, result.id, 0, result.format);
    }
  } catch (error) {
    const problem = sentence(error);
    context.dispatch({ type: 'import', state: { state: 'failed', result: null, problem } });
  }
}

async function open(context: Context, id: string, game: number, format: string): Promise<void> {
  await newGame(context, { mode: 'analyse', import: id, game });
  context.tell(`Recognised as ${format}.`);
}
