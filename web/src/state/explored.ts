// What the explorer writes into the squares of the board.

import type { CellLabel } from '../board/view';
import type { ExploredPosition } from '../api/wire';
import { countShort, discs, discsSpoken, plural } from './numbers';
import type { SquareIndex } from './squares';

/** For each move that was played: its value if one is known, and how many games have it. */
export function exploredLabels({
  moves,
}: Pick<ExploredPosition, 'moves'>): ReadonlyMap<SquareIndex, CellLabel> {
  const best = Math.max(...moves.map((it) => it.value?.score ?? -Infinity));
  const labels = new Map<SquareIndex, CellLabel>();
  for (const { square, value, games, share, warning } of moves) {
    if (square === null) continue;
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
