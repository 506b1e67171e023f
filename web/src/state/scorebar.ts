// The bar beside the board: how the game stands, as a share of its height.

import type { Report } from '../api/wire';
import { discs, discsShort } from './numbers';

export interface ScoreBar {
  /** Black's part of the bar, 0 to 1. */
  black: number;
  /** The lead of the side that is ahead, as it is written on its end; empty where nothing is known. */
  text: string;
  /** Whose end the number stands at. */
  leader: 'black' | 'white';
  spoken: string;
}

/** From here on the bar is full: a lead of half the board is as good as won. */
const FULL_CENTIDISCS = 3200;

export function scoreBar(report: Report | null): ScoreBar {
  if (report === null) return { black: 0.5, text: '', leader: 'black', spoken: 'Not valued yet' };
  const { black } = report;
  const share = Math.max(-1, Math.min(1, black / FULL_CENTIDISCS));
  const leader = black >= 0 ? 'black' : 'white';
  const lead = Math.abs(black);
  const name = leader === 'black' ? 'Black' : 'White';
  const depth = report.solved ? 'solved' : `depth ${report.depth}`;
  return {
    black: (1 + share) / 2,
    text: discsShort(lead).replace('+', ''),
    leader,
    spoken:
      discs(lead) === '0'
        ? `Even, ${depth}`
        : `${name} is ahead by ${discs(lead).slice(1)}, ${depth}`,
  };
}
