// The stream of what happens on the server. The browser reconnects by itself; we only tell whether
// it is connected, and stop when the server says goodbye.

import type { ServerEvent } from './wire';

export interface Listener {
  onevent: (event: ServerEvent) => void;
  onconnection: (state: 'open' | 'lost' | 'ended') => void;
}

const RETRY_MS = 1500;

export function listen(listener: Listener, path = '/api/events?patches=true'): () => void {
  let source: EventSource | null = null;
  let timer: number | undefined;
  let stopped = false;
  const close = () => {
    source?.close();
    source = null;
    window.clearTimeout(timer);
  };
  const open = () => {
    source = new EventSource(path);
    source.addEventListener('open', () => listener.onconnection('open'));
    source.addEventListener('message', (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as ServerEvent;
      if (event.type === 'bye') {
        stopped = true;
        close();
        listener.onconnection('ended');
      } else {
        listener.onevent(event);
      }
    });
    source.addEventListener('error', () => {
      if (stopped) return;
      listener.onconnection('lost');
      // A refused stream is not tried again by the browser itself.
      if (source?.readyState === EventSource.CLOSED) {
        close();
        timer = window.setTimeout(open, RETRY_MS);
      }
    });
  };
  open();
  return () => {
    stopped = true;
    close();
  };
}
