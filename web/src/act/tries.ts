// Review at once: the game is looked at when it is opened, and mistakes are tried before the answer
// is shown.

import { biggestMistake, isReviewDue } from '../state/review';
import { tryingNow } from '../state/tries';
import { askWhy } from './coach';
import { sentence, type Context } from './context';
import type { Handlers } from './wish';

export function tries(
  context: Context,
): Handlers<'attempt' | 'whereToLook' | 'showAnswer' | 'tryAnew' | 'keepMove' | 'askNoMore'> {
  const { client } = context;
  return {
    /** A move at a mistake is a try; it does not go into the game. */
    async attempt({ move }) {
      const { session } = context;
      if (session === null) return;
      const { id, node } = session;
      try {
        const attempt = await client.attempt(id, node, move);
        if (context.session?.id !== id) return;
        context.dispatch({ type: 'attempted', node, attempt });
        context.say(attempt.text);
        if (attempt.found === 'yes' && context.session?.node === node) explainMistake(context);
      } catch (error) {
        context.tell(sentence(error), 'warning');
      }
    },
    async whereToLook() {
      const { session } = context;
      if (session === null) return;
      try {
        const { squares } = await client.whereToLook(session.id, session.node);
        context.dispatch({ type: 'lookedAt', node: session.node, squares });
        context.say('A part of the board is marked.');
      } catch (error) {
        context.tell(sentence(error), 'error');
      }
    },
    async showAnswer() {
      const { session } = context;
      if (session === null || tryingNow(context.read()) === null) return;
      const { node } = session;
      await context.act((id) => client.seeAnswer(id, node));
      if (context.session?.node === node) explainMistake(context);
    },
    async tryAnew({ node }) {
      await context.act((id) => client.forgetTry(id, node));
      context.dispatch({ type: 'triedAnew', node });
    },
    keepMove: () => context.act((id) => client.keepMove(id)),
    askNoMore: () =>
      context.act(async (id) => {
        await client.changeSession(id, { asks: false });
        return client.keepMove(id);
      }),
  };
}

/** Why the move of the game was a mistake, once it may be said. */
function explainMistake(context: Context): void {
  const { review, game } = context.read();
  const { session } = game;
  if (session === null) return;
  const at = review.review?.moves.find((it) =>
    session.tree.some((node) => node.id === it.node && node.parent === session.node),
  );
  if (at) void askWhy(context, session.node, at.move);
}

/**
 * A whole game is looked at when it is opened. Whoever comes by an address that names a position
 * stays there.
 */
export async function reviewAtOnce(context: Context, isPlaced: boolean): Promise<void> {
  const { review, game, shell } = context.read();
  const { session } = game;
  if (session === null || shell.route.place !== 'review') return;
  context.dispatch({ type: 'opened', node: isPlaced ? null : session.node });
  if (!isReviewDue(review, session, shell.jobs)) return;
  try {
    const job = await context.client.startReview(session.id, {});
    const at = context.outside.now();
    context.dispatch({ type: 'server', event: { type: 'job', data: job }, at });
  } catch (error) {
    context.tell(sentence(error), 'error');
  }
}

/** Who has not begun to walk is taken to the biggest mistake of their own, once it is known. */
export async function openAtMistake(context: Context): Promise<void> {
  const { review, game } = context.read();
  const { session } = game;
  if (session === null || review.review === null || !review.review.isComplete) return;
  if (review.id !== session.id || review.openedAt !== session.node) return;
  const node = biggestMistake(review, session);
  if (node === null || node === session.node) return;
  context.dispatch({ type: 'opened', node: null });
  await context.act((id) => context.client.goto(id, { node }));
}
