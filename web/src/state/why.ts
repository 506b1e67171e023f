// Whether an explanation still says what the board says.

import type { Explanation, Reason, Report } from '../api/wire';
import type { Why } from './types';

/** A reason of a card, counted from the first; those behind "more" follow. */
export function reasonAt(why: Why | null, index: number): Reason | undefined {
  const { reasons = [], more = [] } = why?.explanation ?? {};
  return [...reasons, ...more][index];
}

/**
 * Whether a report has overtaken an explanation: it looked as deep or deeper, and prefers another
 * move or values one of the compared moves otherwise.
 */
export function isOvertaken(explanation: Explanation, report: Report): boolean {
  if (explanation.solved) return false;
  if (!report.solved && report.depth < explanation.depth) return false;
  const { best, given } = explanation.comparison;
  if (report.lines[0]?.move !== best.move) return true;
  return [best, given].some((shown) => {
    const now = report.lines.find((line) => line.move === shown?.move);
    return now !== undefined && now.score !== shown?.score;
  });
}
