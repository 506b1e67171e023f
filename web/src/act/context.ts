// What the functions that send requests have in common. Clock, timers and the address bar are
// handed in, so that tests need no browser.

import { ApiError, type Client } from '../api/client';
import type { ErrorCode, SessionView } from '../api/wire';
import type { Event } from '../state/event';
import type { Route } from '../state/route';
import type { State } from '../state/state';
import type { Toast } from '../state/types';
import type { Send } from './wish';

export interface Outside {
  /** The browser's time in milliseconds. */
  now: () => number;
  later: (work: () => void, ms: number) => void;
  /** Shows an address; `push` leaves a way back. */
  address: (hash: string, how: 'push' | 'replace') => void;
}

const TOAST_MS = 6000;

export class Context {
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    readonly client: Client,
    readonly read: () => State,
    readonly dispatch: (event: Event) => void,
    readonly outside: Outside,
  ) {}

  /** Set by the layer that knows all handlers. */
  send: Send = () => {};

  /** Set by the part that knows what a place needs. */
  enter: (route: Route) => Promise<void> = () => Promise.resolve();

  get session(): SessionView | null {
    return this.read().game.session;
  }

  /** Shows a view unless a newer one is there already. */
  show(view: SessionView): void {
    this.dispatch({ type: 'viewed', view, at: this.outside.now() });
  }

  /**
   * A request that changes the game. One after the other, so that quick keys arrive in the order
   * in which they were pressed. It may turn out that there is nothing to ask for (null).
   */
  act(
    request: (session: string) => Promise<SessionView | null>,
    refused: (error: unknown) => void = (error) => this.tell(sentence(error), 'warning'),
  ): Promise<void> {
    const { id } = this.read().game;
    if (id === null) return Promise.resolve();
    const run = this.#queue.then(async () => {
      try {
        const view = await request(id);
        if (view !== null) this.show(view);
      } catch (error) {
        if (isCode(error, 'no_such_session')) this.gone(id, error);
        else refused(error);
      }
    });
    this.#queue = run;
    return run;
  }

  /** The game of the address is not there, or not any more. */
  gone(id: string, error: unknown): void {
    this.dispatch({ type: 'missing', id, text: sentence(error) });
  }

  tell(text: string, level: Toast['level'] = 'info'): void {
    this.dispatch({ type: 'told', level, text });
  }

  say(text: string): void {
    this.dispatch({ type: 'said', text });
  }

  /** Messages go away by themselves, whoever made them. */
  forgetToast(toast: Toast): void {
    const ms = toast.level === 'info' ? TOAST_MS : 2 * TOAST_MS;
    this.outside.later(() => this.dispatch({ type: 'dismiss', toast: toast.id }), ms);
  }
}

export function isCode(error: unknown, ...codes: ErrorCode[]): boolean {
  return error instanceof ApiError && (codes as string[]).includes(error.code);
}

export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
