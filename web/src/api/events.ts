// The stream of what happens on the server. Where it ends, we look until the server is there again:
// it may have been started anew, with another page than this one.

import type { ServerEvent } from './wire';

export interface Listener {
  onevent: (event: ServerEvent) => void;
  onconnection: (state: 'open' | 'lost' | 'ended' | 'restarted' | 'old') => void;
}

const RETRY_MS = 1500;

/** What a look at the server finds. */
export type Found = 'gone' | 'closed' | 'older' | 'there';

/**
 * Whether the server is there, lets this browser in, and has the page that we are: the names of its
 * files change with their contents.
 */
export async function look(fetcher: typeof fetch, script: string | null): Promise<Found> {
  try {
    const allowed = await fetcher('/api/settings', { credentials: 'same-origin' });
    if (allowed.status === 401) return 'closed';
    if (!allowed.ok) return 'gone';
    const page = await (await fetcher('/', { cache: 'no-store' })).text();
    return script === null || page.includes(script) ? 'there' : 'older';
  } catch {
    return 'gone';
  }
}

/** The name of the script that this page runs. */
function ownScript(): string | null {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script ? new URL(script.src).pathname : null;
}

/** What a window hears of the server. */
export interface Stream {
  /**
   * Says which session the window shows; null is none. The server then leaves out what happens in
   * other sessions, and begins with that session as it is, so that nothing is missed in between.
   */
  aim: (session: string | null) => void;
  stop: () => void;
}

/** Listens as soon as it is aimed. */
export function listen(listener: Listener): Stream {
  let aimedAt: string | null | undefined;
  let source: EventSource | null = null;
  let timer: number | undefined;
  let stopped = false;
  const close = () => {
    source?.close();
    source = null;
    window.clearTimeout(timer);
  };
  const retry = () => {
    timer = window.setTimeout(() => void tryAgain(), RETRY_MS);
  };
  const tryAgain = async () => {
    const found = await look((input, init) => fetch(input, init), ownScript());
    if (stopped) return;
    if (found === 'there') return open();
    if (found === 'closed') listener.onconnection('restarted');
    if (found === 'older') return listener.onconnection('old');
    retry();
  };
  const open = () => {
    const only = aimedAt == null ? '' : `&session=${encodeURIComponent(aimedAt)}`;
    source = new EventSource(`/api/events?patches=true${only}`);
    source.addEventListener('open', () => listener.onconnection('open'));
    source.addEventListener('message', (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as ServerEvent;
      if (event.type === 'bye') {
        close();
        listener.onconnection('ended');
        retry();
      } else {
        listener.onevent(event);
      }
    });
    source.addEventListener('error', () => {
      if (stopped || source === null) return;
      listener.onconnection('lost');
      // The browser would try for ever, also where it is not let in any more.
      close();
      retry();
    });
  };
  return {
    aim(wanted) {
      if (wanted === aimedAt) return;
      // While the server is looked for, nothing is open; the stream that follows goes there.
      const isLooking = aimedAt !== undefined && source === null;
      aimedAt = wanted;
      if (isLooking) return;
      close();
      open();
    },
    stop() {
      stopped = true;
      close();
    },
  };
}
