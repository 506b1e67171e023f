// The thin layer between the views and the server: takes wishes, sends requests, and hands what
// comes back to the reducers.

import type { Client } from '../api/client';
import type { Listener, Stream } from '../api/events';
import type { Login } from '../api/wire';
import type { Event } from '../state/event';
import { runningReview } from '../state/review';
import { formatRoute, parseRoute, sessionOf } from '../state/route';
import { isBeyond } from '../state/session';
import { FRESH } from '../state/shell';
import { isAnalysing } from '../state/show';
import type { State } from '../state/state';
import { coach, keepUp, overlayLoader, reviews, startAnalysis } from './coach';
import { engines } from './engines';
import { Context, isCode, sentence, type Outside } from './context';
import { moves, playText } from './moves';
import { enter, places } from './places';
import { settings } from './settings';
import { openAtMistake, tries } from './tries';
import type { Request, Send, Wish } from './wish';

export interface Act {
  send: Send;
  /** Plays a typed move; gives what is wrong with it, or null. */
  playText: (text: string) => Promise<string | null>;
  exportAs: Client['exportAs'];
  checkPosition: Client['checkPosition'];
  ask: Client['ask'];
  hand: Client['hand'];
  /** The user's engines, for the place that manages them. */
  engines: Pick<
    Client,
    | 'engines'
    | 'pressButton'
    | 'installNetwork'
    | 'addEngine'
    | 'allowDownloads'
    | 'removeEngine'
    | 'installEngine'
    | 'testEngine'
    | 'engineOptions'
    | 'changeEngineOptions'
    | 'engineLog'
  >;
  /** Logs in if the address has a code, opens the place of the address, and begins to listen. */
  start: (hash: string, login: Login | null) => Promise<void>;
  /** The person went to another address: back, forward, a link. */
  moved: (hash: string) => void;
  /** The window closes: no engine searches for a reader who has gone. */
  leave: () => void;
}

/** The code of an address that `kibitz` printed, or the token of a program; null without either. */
export function readLogin(hash: string): Login | null {
  const [, kind, text] = /^#(code|token)=(.+)$/.exec(hash) ?? [];
  if (text === undefined) return null;
  const secret = decodeURIComponent(text);
  return kind === 'code' ? { code: secret } : { token: secret };
}

/** An address that was used before is no obstacle to a browser that is logged in already. */
async function logIn(client: Client, login: Login): Promise<void> {
  try {
    await client.login(login);
  } catch (error) {
    if (!isCode(error, 'not_logged_in')) throw error;
  }
}

/**
 * The session whose events the window needs. A list of games, and a board without its game, hear
 * of all sessions (null). While a game is on its way here, it is not known yet (undefined).
 */
function heard({ shell, game }: State): string | null | undefined {
  const id = sessionOf(shell.route);
  if (id === null || game.missing !== null) return null;
  return game.session?.id === id ? id : undefined;
}

/** After a gap in the stream the game may be another one than what is on the screen. */
async function reload(context: Context): Promise<void> {
  const { id } = context.read().game;
  if (id === null) return;
  try {
    context.show(await context.client.session(id));
  } catch (error) {
    if (isCode(error, 'no_such_session')) context.gone(id, error);
  }
}

export function createAct(
  client: Client,
  read: () => State,
  reduce: (event: Event) => void,
  outside: Outside,
  listen: (listener: Listener) => Stream,
): Act {
  let stream: Stream | null = null;
  const context = new Context(client, read, dispatch, outside);
  context.enter = enter(context);
  const catchUp = keepUp(context);
  const loadOverlays = overlayLoader(context);
  const handlers = {
    ...moves(context),
    ...coach(context),
    ...reviews(context),
    ...tries(context),
    ...engines(context),
    ...places(context),
    ...settings(context),
    tell: (wish: Extract<Request, { type: 'tell' }>) => context.tell(wish.text, wish.level),
  };

  /** Reduces, and then does what the new state asks for. */
  function dispatch(event: Event): void {
    const before = read();
    const { game } = before;
    if (event.type === 'server' && event.event.type === 'patch') {
      const patch = event.event.data;
      if (patch.view.id === game.id && isBeyond(game.session, patch)) void reload(context);
    }
    reduce(event);
    const after = read();
    aim(after);
    if (after.shell.route !== before.shell.route && event.type !== 'routed') {
      outside.address(formatRoute(after.shell.route), 'replace');
    }
    if (after.shell.toasts !== before.shell.toasts) {
      for (const toast of after.shell.toasts) {
        if (!before.shell.toasts.includes(toast)) context.forgetToast(toast);
      }
    }
    const reviewed = (state: State) => runningReview(state.shell.jobs, after.game.id) === null;
    if (event.type === 'server' && !reviewed(before) && reviewed(after)) {
      if (after.shell.route.place === 'review') void startAnalysis(context);
    }
    if (after.shell.dialog === 'newGame' && before.shell.dialog !== 'newGame') void meet();
    if (after.review.review !== before.review.review) void openAtMistake(context);
    if (after.game !== before.game) {
      void loadOverlays();
      void catchUp();
    }
  }

  function aim(state: State): void {
    const session = heard(state);
    if (session !== undefined) stream?.aim(session);
  }

  /** Asks what the person is worth by now; a list without it does as well. */
  async function meet(): Promise<void> {
    try {
      dispatch({ type: 'you', you: (await client.you()).worth });
    } catch {
      dispatch({ type: 'you', you: null });
    }
  }

  context.send = send;

  function send(wish: Wish): void {
    if (wish.type in handlers) {
      // The table of handlers has one of the right kind for each name.
      const handle = handlers[wish.type as Request['type']] as (wish: Wish) => void;
      void handle(wish);
    } else {
      dispatch(wish as Event);
    }
  }

  async function start(hash: string, login: Login | null): Promise<void> {
    try {
      if (login !== null) await logIn(client, login);
      const [loaded, levels] = await Promise.all([client.settings(), client.levels()]);
      dispatch({ type: 'settings', settings: loaded });
      dispatch({ type: 'levels', levels });
      const opened = context.enter(parseRoute(hash));
      const listener: Listener = {
        onevent: (event) => dispatch({ type: 'server', event, at: outside.now() }),
        onconnection(state) {
          const again = state === 'open' && !FRESH.includes(read().shell.connection);
          dispatch({ type: 'connection', state });
          if (again) void reload(context);
        },
      };
      stream = listen(listener);
      aim(read());
      for (const warning of loaded.warnings) context.tell(warning, 'warning');
      await opened;
    } catch (error) {
      const denied = isCode(error, 'not_logged_in');
      dispatch({ type: 'connection', state: denied ? 'denied' : 'lost' });
      if (!denied) context.tell(sentence(error), 'error');
    }
  }

  return {
    send,
    playText: (text) => playText(context, text),
    exportAs: client.exportAs,
    checkPosition: client.checkPosition,
    ask: client.ask,
    hand: client.hand,
    engines: client,
    start,
    moved: (hash) => void context.enter(parseRoute(hash)),
    leave() {
      const { game } = read();
      if (game.id !== null && (isAnalysing(game) || game.analyses.length > 0)) {
        client.abandonAnalysis(game.id).catch(() => {});
      }
    },
  };
}
