// Settings, and what the program says about itself.

import type { SettingsChange } from '../api/wire';
import { showsWelcome } from '../state/show';
import { sentence, type Context } from './context';
import type { Handlers } from './wish';

export function settings(context: Context): Handlers<'setting' | 'loadAbout' | 'selfTest'> {
  return {
    setting: ({ change }) => changeSettings(context, change),
    async loadAbout() {
      try {
        context.dispatch({ type: 'about', about: await context.client.about() });
      } catch (error) {
        context.tell(sentence(error), 'error');
      }
    },
    async selfTest() {
      if (context.read().shell.testing?.state === 'running') return;
      context.dispatch({ type: 'testing', state: { state: 'running' } });
      try {
        const result = await context.client.selfTest();
        context.dispatch({ type: 'testing', state: { state: 'done', result } });
      } catch (error) {
        const problem = sentence(error);
        context.dispatch({ type: 'testing', state: { state: 'failed', problem } });
      }
    },
  };
}

export async function changeSettings(context: Context, change: SettingsChange): Promise<void> {
  try {
    const changed = await context.client.changeSettings(change);
    context.dispatch({ type: 'settings', settings: changed });
    // Which weights are in use may have changed with the engine.
    if (change.engine) context.dispatch({ type: 'about', about: await context.client.about() });
  } catch (error) {
    if (change.engine) context.dispatch({ type: 'engineRefused', text: sentence(error) });
    else context.tell(sentence(error), 'error');
  }
}

/** Whoever makes a move needs no welcome any more, today or tomorrow. */
export function closeWelcome(context: Context): void {
  const { shell, play } = context.read();
  if (!showsWelcome(shell.settings, play)) return;
  context.dispatch({ type: 'welcomed' });
  void changeSettings(context, { welcomed: true });
}
