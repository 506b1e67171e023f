// Values of moves as labels on their squares.

import type { Glyph, MoveHeat, Report } from '../api/wire';
import type { CellLabel } from '../board/view';
import { countShort, discs, discsShort, discsSpoken } from './numbers';
import type { SquareIndex } from './squares';

/** A move with one of these signs is marked, not only numbered. */
export const isPoor = (glyph: Glyph | null): boolean => glyph === '?' || glyph === '??';

export function depthText(report: { depth: number; solved: boolean }): string {
  return report.solved ? 'solved' : `d${report.depth}`;
}

/** What a search cost, what it is worth and who did it; its depth stands beside the value. */
export function searchText(report: Report): string {
  const parts = [`${countShort(report.nodes)} positions`];
  if (report.timeMs > 0) parts.push(`${countShort((report.nodes * 1000) / report.timeMs)}/s`);
  if (!report.solved) parts.push('not proven');
  if (report.source !== undefined) parts.push(report.source);
  return parts.join(' · ');
}

/** What else a search counted, by its name; for readers who want to know how it went. */
export function searchDetails({ statistics }: Report): [string, string][] {
  if (statistics === null) return [];
  const { cutoffs, boundsUsed, probes, hits, stores, replacements, fillPermille } = statistics;
  const rows: [string, number | null][] = [
    ['Cut-offs', cutoffs],
    ['Bounds used', boundsUsed],
    ['Probes', probes],
    ['Hits', hits],
    ['Stores', stores],
    ['Replacements', replacements],
  ];
  const counted = rows.flatMap(([name, count]): [string, string][] =>
    count === null ? [] : [[name, countShort(count)]],
  );
  return [...counted, ['Table full', `${fillPermille / 10}%`]];
}

const SIGN = { exact: '', lower: '≥', upper: '≤' } as const;

export function labelsOf(report: Report): Map<SquareIndex, CellLabel> {
  const best = report.lines[0]?.score ?? report.score;
  const detail = depthText(report);
  const labels = new Map<SquareIndex, CellLabel>();
  report.lines.forEach((line, index) => {
    if (line.square === null) return;
    const loss = best - line.score;
    const isBest = index === 0 || (loss <= 0 && line.bound === 'exact');
    labels.set(line.square, {
      text: `${SIGN[line.bound]}${discsShort(line.score)}`,
      detail,
      kind: isBest ? 'best' : isPoor(line.glyph) ? 'poor' : 'plain',
      spoken: [
        ...(isBest ? ['best'] : []),
        discsSpoken(line.score),
        report.solved ? 'solved' : `depth ${report.depth}`,
      ].join(', '),
    });
  });
  return labels;
}

/**
 * Values with the number of moves that each move leaves in place of its depth: two numbers of a
 * square must not stand on each other.
 */
export function withMobility(
  labels: ReadonlyMap<SquareIndex, CellLabel>,
  mobility: readonly MoveHeat[],
): Map<SquareIndex, CellLabel> {
  const counted = new Map(labels);
  for (const { square, own, replies } of mobility) {
    const label = labels.get(square);
    if (label) counted.set(square, { ...label, detail: `${own}:${replies}` });
  }
  return counted;
}

/** "+2 for Black, depth 20": the value of a position in words. */
export function valueText(report: Report): string {
  const value = SIGN[report.bound] + discs(report.score);
  return `${value} for ${report.side === 'black' ? 'Black' : 'White'}`;
}
