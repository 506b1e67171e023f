// What the explorer writes into the squares of the board.

import type { CellLabel } from '../board/view';
import type { ExploredMove, ExploredPosition } from '../api/wire';
import { countShort, discs, discsSpoken, plural } from './numbers';
import type { SquareIndex } from './squares';

const worth = ({ value, book }: ExploredMove) => [value?.score ?? -Infinity, book ?? 0] as const;

/** Moves as the panel lists them: the most played first, then those that nobody played, the best
 * first. */
export function explorerRows(moves: readonly ExploredMove[]): ExploredMove[] {
  return moves.toSorted((a, b) => {
    if (a.games !== b.games || a.games > 0) return b.games - a.games;
    const [[score, book], [otherScore, otherBook]] = [worth(a), worth(b)];
    return score === otherScore ? otherBook - book : otherScore - score;
  });
}

/** From so many games on, their sum says more than each kind of result, and fits into its column. */
const OWN_MANY = 100;

/** The user's results with a move: won, drawn and lost, or the share of the points. */
export function ownText({ games, won, drawn, lost }: ExploredMove['own']): string {
  const known = won + drawn + lost;
  if (games === 0 || known === 0) return '–';
  if (known < OWN_MANY) return `${won}–${drawn}–${lost}`;
  return `${Math.round((100 * (won + drawn / 2)) / known)} %`;
}

/** For each move that is known: its value if there is one, and how many games have it. */
export function exploredLabels({
  moves,
}: Pick<ExploredPosition, 'moves'>): ReadonlyMap<SquareIndex, CellLabel> {
  const best = Math.max(...moves.map((it) => it.value?.score ?? -Infinity));
  const labels = new Map<SquareIndex, CellLabel>();
  for (const { square, value, games, share, book, warning } of moves) {
    if (square === null) continue;
    if (games === 0 && value === null) {
      const detail = `${Math.round(100 * (book ?? 0))} %`;
      labels.set(square, { text: 'book', detail, kind: 'plain', spoken: 'in the book' });
      continue;
    }
    const percent = `${Math.round(100 * share)} %`;
    const spoken = `${plural(games, 'game')}, ${percent}`;
    labels.set(
      square,
      value === null
        ? { text: countShort(games), detail: percent, kind: 'plain', spoken }
        : {
            text: discs(value.score),
            detail: countShort(games),
            kind: value.score === best ? 'best' : warning === null ? 'plain' : 'poor',
            spoken: `${discsSpoken(value.score)}, ${spoken}`,
          },
    );
  }
  return labels;
}
