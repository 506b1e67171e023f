// Analysis, hints, explanations and lines.

import type { Look, Report } from '../api/wire';
import { nextMistake } from '../state/review';
import { canPlay, isAnalysing, reportOf, showsValues, whyNoMove } from '../state/show';
import { nodeOf } from '../state/session';
import { nameOf } from '../state/squares';
import { HIDDEN, tryingNow } from '../state/tries';
import type { Why } from '../state/types';
import { isOvertaken, reasonAt } from '../state/why';
import { isCode, sentence, type Context } from './context';
import type { Handlers } from './wish';

/** Analysis beside a game shares the machine with the opponent, so it is short. */
const PLAY_ANALYSIS_MS = 3000;

export async function startAnalysis(context: Context): Promise<void> {
  const { session } = context;
  if (session === null || session.outcome !== null || session.game !== 'othello') return;
  const limit = session.mode === 'play' ? { timeMs: PLAY_ANALYSIS_MS } : {};
  try {
    const analysis = await context.client.startAnalysis(session.id, { allMoves: true, ...limit });
    context.dispatch({ type: 'analysed', analysis });
  } catch (error) {
    // A finished game has nothing to search.
    if (!isCode(error, 'conflict', 'invalid')) context.tell(sentence(error), 'error');
  }
}

/** Also of a game that the window has left. */
export async function stopAnalysis(context: Context, id: string): Promise<void> {
  try {
    const analysis = await context.client.stopAnalysis(id);
    if (analysis) context.dispatch({ type: 'analysed', analysis });
  } catch (error) {
    if (!isCode(error, 'no_such_session')) context.tell(sentence(error), 'error');
  }
}

async function explained(context: Context, id: string, asked: Why, look: Look): Promise<Why> {
  const { node, move } = asked;
  const explanation = await context.client.explain(id, node, move ?? undefined, look);
  return { ...asked, state: 'ready', explanation };
}

/** A first look is there at once; the full answer takes its place. */
export async function askWhy(context: Context, node: number, move: string | null): Promise<void> {
  const { session } = context;
  if (session === null) return;
  const asked: Why = {
    node,
    move,
    askedAt: session.node,
    state: 'loading',
    explanation: null,
    problem: '',
  };
  context.dispatch({ type: 'whyAsked', why: asked });
  let shown = asked;
  try {
    for (const look of ['first', 'full'] as const) {
      const answer = await explained(context, session.id, asked, look);
      if (context.read().game.why !== shown) return;
      context.dispatch({ type: 'whyAnswered', asked: shown, answer });
      shown = answer;
      if (!answer.explanation!.isProvisional) break;
    }
    const { title, summary } = shown.explanation!;
    context.say(`${title} ${summary}`);
  } catch (error) {
    // A first answer stands until there is another one.
    if (shown !== asked) return;
    const answer: Why = { ...asked, state: 'failed', problem: sentence(error) };
    context.dispatch({ type: 'whyAnswered', asked, answer });
  }
}

async function showLine(
  context: Context,
  title: string,
  node: number,
  line: readonly string[],
  index = 1,
): Promise<void> {
  const { session } = context;
  if (session === null || line.length === 0) return;
  try {
    const { steps } = await context.client.preview(session.id, node, [...line]);
    const now = context.session;
    if (now?.id !== session.id || now.node !== session.node) return;
    const startBoard = node === session.node ? session.position.board : null;
    context.dispatch({
      type: 'lineShown',
      line: { title, node, steps, index: Math.min(index, steps.length), startBoard },
    });
  } catch (error) {
    context.tell(sentence(error), 'error');
  }
}

/** The analysis goes on behind an answer: what it has overtaken is asked again, in silence. */
export function keepUp(context: Context): () => Promise<void> {
  let asking = false;
  let keptUpWith: Report | null = null;
  return async () => {
    const { game } = context.read();
    const { why, session, reason, line } = game;
    const report = reportOf(game);
    if (session === null || report === null || why === null || why.explanation === null) return;
    // Who looks at a reason or a line reads on undisturbed.
    if (why.node !== session.node || reason !== null || line !== null) return;
    if (asking || keptUpWith === report || !isOvertaken(why.explanation, report)) return;
    asking = true;
    keptUpWith = report;
    try {
      const answer = await explained(context, session.id, why, 'full');
      const now = context.read().game;
      if (now.reason === null && now.line === null) {
        context.dispatch({ type: 'whyAnswered', asked: why, answer });
      }
    } catch {
      // The old answer stands, with the depth that it was given at.
    } finally {
      asking = false;
    }
  };
}

/** Fetches the overlays of the position shown, once for each position. */
export function overlayLoader(context: Context): () => Promise<void> {
  let asked = '';
  return async () => {
    const { overlay, overlays, session } = context.read().game;
    if (overlay === null || overlays !== null || session === null) {
      asked = '';
      return;
    }
    const key = `${session.id} ${session.node}`;
    if (asked === key) return;
    asked = key;
    try {
      const loaded = await context.client.overlays(session.id, session.node);
      context.dispatch({ type: 'overlaysLoaded', session: session.id, overlays: loaded });
    } catch (error) {
      context.dispatch({ type: 'overlaysFailed' });
      context.tell(sentence(error), 'error');
    }
  };
}

async function toggleValues(context: Context): Promise<void> {
  const { shell, game, review } = context.read();
  if (game.session === null) return;
  if (tryingNow(context.read()) !== null) {
    context.say(HIDDEN);
    return;
  }
  const show = !showsValues(shell.route.place, game, review);
  if (shell.route.place === 'review') {
    context.dispatch({ type: 'valuesOnBoard', on: show });
  } else if (show) {
    // To analyse is to ask for values; to hide them ends the analysis.
    await (game.session.game === 'chess' ? askEngines(context) : startAnalysis(context));
  } else {
    await context.act((id) => context.client.changeSession(id, { showValues: false }));
  }
  context.say(show ? 'Values shown' : 'Values hidden');
}

/** Chess: stops all engines, or starts those that were stopped last, or the first that there is. */
async function toggleEngines(context: Context): Promise<void> {
  const { analyses } = context.read().game;
  if (analyses.length > 0) {
    lastEngines = analyses.map((it) => it.engine);
    context.send({ type: 'stopEngines', engine: null });
    return;
  }
  await startEngines(context);
}

async function startEngines(context: Context): Promise<void> {
  const { added } = await context.client.engines();
  const fit = added.filter((it) => it.game === 'chess').map((it) => it.id);
  const again = lastEngines.filter((it) => fit.includes(it));
  for (const engine of again.length > 0 ? again : fit.slice(0, 1)) {
    context.send({ type: 'startEngine', engine, lines: 2, only: [] });
  }
  if (fit.length === 0) context.tell(NO_ENGINE);
}

const NO_ENGINE = 'Only an engine for chess can say. Add or install one in the Lab.';

/** Chess: the coach knows Othello alone, so the panel of engines opens, and one of them looks. */
async function askEngines(context: Context): Promise<void> {
  const { shell, game } = context.read();
  if (shell.route.place === 'review') context.dispatch({ type: 'panel', panel: 'engines' });
  try {
    if (game.analyses.length === 0) await startEngines(context);
  } catch (error) {
    context.tell(sentence(error), 'error');
  }
}

/** The engines that the reader stopped last. */
let lastEngines: readonly string[] = [];

export function coach(
  context: Context,
): Handlers<
  | 'toggleAnalysis'
  | 'toggleValues'
  | 'hint'
  | 'whySquare'
  | 'why'
  | 'chooseReason'
  | 'showLine'
  | 'showBlunder'
  | 'keepLine'
> {
  return {
    async toggleAnalysis() {
      const { shell, game } = context.read();
      if (game.id === null) return;
      if (game.session?.game === 'chess') return toggleEngines(context);
      if (shell.route.place === 'play') return toggleValues(context);
      const running = isAnalysing(game);
      await (running ? stopAnalysis(context, game.id) : startAnalysis(context));
      context.say(running ? 'Analysis stopped' : 'Analysis started');
    },
    toggleValues: () => toggleValues(context),
    async hint() {
      const { game } = context.read();
      if (game.session === null || game.session.outcome !== null || !canPlay(game)) {
        context.say('There is nothing to hint at now.');
        return;
      }
      if (game.session.game === 'chess') return askEngines(context);
      if (game.busy.hint) return;
      if (tryingNow(context.read()) !== null) {
        context.say(HIDDEN);
        return;
      }
      context.dispatch({ type: 'busy', what: 'hint', on: true });
      try {
        const hint = await context.client.hint(game.session.id);
        context.dispatch({ type: 'hinted', hint });
        if (context.read().game.hint === hint) context.say(hint.text);
      } catch (error) {
        context.tell(sentence(error), 'error');
      }
      context.dispatch({ type: 'busy', what: 'hint', on: false });
    },
    whySquare({ square }) {
      const { game } = context.read();
      const { session } = game;
      if (session?.game === 'chess') return;
      if (session === null || game.line !== null) return;
      if (tryingNow(context.read()) !== null) {
        context.say(HIDDEN);
        return;
      }
      if (square === null) return askWhy(context, session.node, null);
      const move = session.legal.find((it) => it.square === square);
      if (move === undefined) {
        const name = nameOf(square);
        context.tell(`${name} is not a legal move here, so there is nothing to compare.`);
      } else if (!canPlay(game)) {
        context.tell(whyNoMove(session, square));
      } else {
        return askWhy(context, session.node, move.move);
      }
    },
    why: ({ node, move }) => askWhy(context, node, move),
    /** Its squares light up, and its line can be stepped through. */
    async chooseReason({ index }) {
      const { why, reason: chosen } = context.read().game;
      const reason = reasonAt(why, index);
      if (reason === undefined || why === null) return;
      context.dispatch({ type: 'reason', index: chosen === index ? null : index });
      if (chosen !== index && reason.line.length > 0) {
        await showLine(context, reason.text, why.node, reason.line, reason.line.length);
      }
    },
    showLine: ({ title, node, moves, index }) => showLine(context, title, node, moves, index),
    async showBlunder() {
      const { game } = context.read();
      const blunder = game.session?.blunder ?? null;
      const node = game.session && blunder ? nodeOf(game.session, blunder.node) : undefined;
      if (blunder === null || node === undefined || node.parent === null) return;
      await askWhy(context, node.parent, blunder.move);
    },
    /** The line on the board goes into the tree of moves, and the board stays where it is. */
    async keepLine() {
      const { line } = context.read().game;
      if (line === null) return;
      const moves = line.steps.map((step) => step.move);
      await context.act((id) => context.client.keepLine(id, line.node, moves));
      context.dispatch({ type: 'closeLine' });
      context.tell(`${line.title} is kept among the moves.`);
    },
  };
}

/** The review of a whole game, and the jobs. */
export function reviews(context: Context): Handlers<'startReview' | 'mistake' | 'job'> {
  const { client } = context;
  return {
    async startReview() {
      const { game } = context.read();
      const { id } = game;
      if (id === null) return;
      // An analysis without end goes before a review, which would never come to its turn.
      if (isAnalysing(game)) await stopAnalysis(context, id);
      try {
        const job = await client.startReview(id, {});
        context.dispatch({
          type: 'server',
          event: { type: 'job', data: job },
          at: context.outside.now(),
        });
        context.dispatch({ type: 'reviewed', review: await client.review(id) });
      } catch (error) {
        context.tell(sentence(error), 'error');
      }
    },
    /** Counted from where the walk under way ends: a key may be pressed before that is known. */
    mistake: ({ forward }) =>
      context.act(async (id) => {
        const { review, game } = context.read();
        if (game.session?.id !== id) return null;
        const node = nextMistake(review, game.session, forward);
        if (node !== null) {
          context.dispatch({ type: 'part', part: null });
          return client.goto(id, { node });
        }
        context.say(forward ? 'No mistake behind this move.' : 'No mistake before this move.');
        return null;
      }),
    async job({ id, wish }) {
      const asks = { cancel: client.cancelJob, pause: client.pauseJob, resume: client.resumeJob };
      try {
        const data = await asks[wish](id);
        context.dispatch({
          type: 'server',
          event: { type: 'job', data },
          at: context.outside.now(),
        });
      } catch (error) {
        context.tell(sentence(error), 'error');
      }
    },
  };
}

/** What is known of the review so far; the rest comes as events. */
export async function loadReview(context: Context, id: string): Promise<void> {
  try {
    context.dispatch({ type: 'reviewed', review: await context.client.review(id) });
  } catch {
    // A review that cannot be had now is offered to be made.
  }
}
