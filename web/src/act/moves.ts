// Moves and the tree of moves.

import { canPlay, whyNoMove } from '../state/show';
import { HIDDEN, tryingNow } from '../state/tries';
import { sentence, type Context } from './context';
import { closeWelcome } from './settings';
import type { Handlers } from './wish';

export function moves(
  context: Context,
): Handlers<
  | 'playSquare'
  | 'pass'
  | 'resign'
  | 'claimDraw'
  | 'undo'
  | 'redo'
  | 'goto'
  | 'step'
  | 'best'
  | 'engineMove'
  | 'moveNow'
  | 'level'
  | 'comment'
  | 'glyphs'
  | 'promote'
  | 'deleteNode'
> {
  const { client } = context;
  return {
    playSquare({ square }) {
      const { game } = context.read();
      const { session } = game;
      if (session === null) return;
      if (game.line !== null) {
        context.dispatch({ type: 'closeLine' });
        return;
      }
      const move = session.legal.find((it) => it.square === square);
      if (move === undefined || !canPlay(game)) {
        context.say(whyNoMove(session, square));
        return;
      }
      if (tryingNow(context.read()) !== null) {
        context.send({ type: 'attempt', move: move.move });
        return;
      }
      closeWelcome(context);
      return context.act((id) => client.play(id, { move: move.move, node: session.node }));
    },
    pass: () => context.act((id) => client.play(id, { move: 'ps' })),
    resign: () => context.act((id) => client.resign(id)),
    claimDraw: () => context.act((id) => client.claimDraw(id)),
    undo: () => context.act((id) => client.undo(id)),
    redo: () => context.act((id) => client.redo(id)),
    goto: ({ node }) => context.act((id) => client.goto(id, { node })),
    /** Through the game, or through the line that is looked at. */
    step({ step }) {
      const { line } = context.read().game;
      if (line === null) return context.act((id) => client.goto(id, { step }));
      const { index } = line;
      const to = { first: 0, previous: index - 1, next: index + 1, last: line.steps.length }[step];
      context.dispatch({ type: 'lineTo', index: to });
    },
    async best() {
      const { game } = context.read();
      if (game.busy.best || game.line !== null || game.session === null) return;
      if (game.session.outcome !== null) return;
      if (tryingNow(context.read()) !== null) {
        context.say(HIDDEN);
        return;
      }
      context.dispatch({ type: 'busy', what: 'best', on: true });
      await context.act((id) => client.bestMove(id));
      context.dispatch({ type: 'busy', what: 'best', on: false });
    },
    engineMove: () => context.act((id) => client.engineMove(id)),
    moveNow: () => context.act((id) => client.moveNow(id)),
    level: ({ level }) => context.act((id) => client.changeSession(id, { level })),
    comment: ({ node, text }) => context.act((id) => client.comment(id, node, text)),
    glyphs: ({ node, glyphs }) => context.act((id) => client.glyphs(id, node, glyphs)),
    promote: ({ node }) => context.act((id) => client.promote(id, node, true)),
    deleteNode: ({ node }) => context.act((id) => client.deleteNode(id, node)),
  };
}

/** A move as it was typed; the server says what is wrong with it. Gives the problem, or null. */
export async function playText(context: Context, text: string): Promise<string | null> {
  const { session } = context;
  if (session === null) return 'There is no game yet.';
  // Capitals mean pieces in chess.
  const move = session.game === 'chess' ? text.trim() : text.trim().toLowerCase();
  if (move === '') return null;
  if (tryingNow(context.read()) !== null) {
    context.send({ type: 'attempt', move });
    return null;
  }
  let problem: string | null = null;
  closeWelcome(context);
  await context.act(
    (id) => context.client.play(id, { move: move === 'pass' ? 'ps' : move, node: session.node }),
    (error) => {
      problem = sentence(error);
    },
  );
  return problem;
}
