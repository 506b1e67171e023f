// What of a session is on the screen, as functions of plain data.

import type { AnalysisState, Node, Report, Review, SessionPatch, SessionView } from '../api/wire';
import type { GraphPoint } from './graph';

/**
 * Which of two views to show: the newer one of the same session, or the one of the other. What a
 * request answers comes as an event, too; it is drawn once. To be saved at last is no change of the
 * game and has no revision of its own, so a view that differs in that counts as newer.
 */
export function newerView(shown: SessionView | null, arrived: SessionView): SessionView {
  if (shown === null || shown.id !== arrived.id || arrived.revision > shown.revision)
    return arrived;
  const isSameGame = arrived.revision === shown.revision;
  return isSameGame && arrived.notSaved !== shown.notSaved ? arrived : shown;
}

/** The view that a patch makes of the one shown; null if it fits another revision. */
export function patched(shown: SessionView | null, patch: SessionPatch): SessionView | null {
  const { base, view, changed, removed } = patch;
  if (shown === null || shown.id !== view.id || shown.revision !== base) return null;
  const nodes = new Map(shown.tree.map((node) => [node.id, node]));
  removed.forEach((id) => nodes.delete(id));
  changed.forEach((node) => nodes.set(node.id, node));
  // In the order of their numbers, as the server has them.
  return { ...view, tree: [...nodes.values()].sort((a, b) => a.id - b.id) };
}

/** Whether a patch tells of something newer than what is shown, and does not lead there. */
export function isBeyond(shown: SessionView | null, { base, view }: SessionPatch): boolean {
  if (shown === null) return true;
  return base !== shown.revision && view.revision > shown.revision;
}

/** How far a search has come; what is solved goes further than any depth. */
function reachOf({ report }: AnalysisState): number {
  if (report === null) return -1;
  return report.solved ? Infinity : report.depth;
}

/**
 * Whether what was known of an engine's search is newer than what arrived. The answer to a request
 * may come after reports that were sent later; a search that is over sends no other.
 */
function isBehind(known: AnalysisState, arrived: AnalysisState): boolean {
  if (arrived.generation !== known.generation) return arrived.generation < known.generation;
  const isOver = known.status !== 'running';
  return (isOver && arrived.status === 'running') || reachOf(arrived) < reachOf(known);
}

/** Reports overtake each other; the one of the latest search counts. */
export function newerAnalysis(
  shown: AnalysisState | null,
  arrived: AnalysisState,
  session: SessionView | null,
): AnalysisState | null {
  if (session === null || arrived.session !== session.id) return shown;
  // What a foreign engine says of Othello stands in its own card; the board shows our own values.
  const isOwn = arrived.engine === 'alphabeta' || arrived.engine === 'mcts';
  if (session.game === 'othello' && !isOwn) return shown;
  if (shown !== null && arrived.session === shown.session && isBehind(shown, arrived)) return shown;
  // One engine is shown at a time: another one's report does not push a running analysis away.
  const running = shown !== null && shown.session === arrived.session && shown.status === 'running';
  return running && shown.engine !== arrived.engine ? shown : arrived;
}

/** The analyses of a session, one for each engine; an older report of an engine is dropped. */
export function withAnalysis(
  known: readonly AnalysisState[],
  arrived: AnalysisState,
): readonly AnalysisState[] {
  const before = known.find((it) => it.engine === arrived.engine);
  if (before !== undefined && isBehind(before, arrived)) return known;
  const others = known.filter((it) => it.engine !== arrived.engine);
  return arrived.status === 'stopped' ? others : [...others, arrived];
}

export function nodeOf(session: SessionView, id: number): Node | undefined {
  return session.tree.find((node) => node.id === id);
}

/** Whether the person in front of the screen may move now. */
export function isHumanTurn(session: SessionView): boolean {
  if (session.outcome !== null || session.thinking) return false;
  return session.mode === 'analyse' || session.awaiting === 'human';
}

/**
 * Values along the line shown, for the graph; the current one as the analysis has it. Which of them
 * are a first look is the review's to say.
 */
export function graphPoints(
  session: SessionView,
  report: Report | null,
  review: Pick<Review, 'graph'> | null,
): GraphPoint[] {
  const byId = new Map(session.tree.map((node) => [node.id, node]));
  const isFirstLook = new Map(review?.graph.map((it) => [it.node, !it.isJudged]));
  return session.line.flatMap((id) => {
    const node = byId.get(id);
    if (!node) return [];
    const value = id === session.node && report !== null ? report : node.value;
    const solved = value?.solved ?? false;
    const isGuess = !solved && (isFirstLook.get(id) ?? false);
    // Black is up in Othello, White in chess: the side that moves first.
    const black = value?.black ?? null;
    const up = session.game === 'chess' && black !== null ? -black : black;
    return [{ ply: node.ply, value: up, mate: value?.mate ?? null, solved, isGuess }];
  });
}

/** The move of the line shown that was played from the current position. */
export function playedNext(session: SessionView): Node | undefined {
  const at = session.line.indexOf(session.node);
  const next = at < 0 ? undefined : session.line[at + 1];
  return next === undefined ? undefined : nodeOf(session, next);
}
