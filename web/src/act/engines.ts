// Foreign engines beside the board: started, stopped, held in place.

import type { AnalysisWish } from '../api/wire';
import { sentence, type Context } from './context';
import type { Handlers } from './wish';

export function engines(
  context: Context,
): Handlers<'playMove' | 'startEngine' | 'stopEngines' | 'freeze' | 'valueGame'> {
  const { client } = context;
  return {
    playMove({ move }) {
      const { session } = context;
      if (session === null) return;
      return context.act((id) => client.play(id, { move, node: session.node }));
    },
    async startEngine({ engine, lines, only }) {
      const { session } = context;
      if (session === null) return;
      const wish: AnalysisWish = { engine, lines };
      if (only.length > 0) wish.only = [...only];
      try {
        const analysis = await client.startAnalysis(session.id, wish);
        context.dispatch({ type: 'analysed', analysis });
        context.say(`${analysis.title} started`);
      } catch (error) {
        context.tell(sentence(error), 'warning');
      }
    },
    async stopEngines({ engine }) {
      const { session, analyses } = context.read().game;
      if (session === null) return;
      try {
        await client.stopEngine(session.id, engine);
        const stopped = analyses.filter((it) => engine === null || it.engine === engine);
        for (const it of stopped) {
          context.dispatch({ type: 'analysed', analysis: { ...it, status: 'stopped' } });
        }
        context.say(engine === null ? 'All engines stopped' : 'Engine stopped');
      } catch (error) {
        context.tell(sentence(error), 'warning');
      }
    },
    async valueGame({ engine }) {
      const { session } = context;
      if (session === null) return;
      try {
        const data = await client.valueGame(session.id, engine);
        const event = { type: 'job', data } as const;
        context.dispatch({ type: 'server', event, at: context.outside.now() });
        context.tell('The game is being valued; the graph fills as it goes on.');
      } catch (error) {
        context.tell(sentence(error), 'warning');
      }
    },
    freeze: ({ frozen }) => context.act((id) => client.freeze(id, frozen)),
  };
}
