// What the board is told to draw. Everything here was decided elsewhere; nothing is computed from
// the rules of the game.

import { nameOf, type SquareIndex } from '../state/squares';

export interface LegalMove {
  square: SquareIndex;
  flips: readonly SquareIndex[];
}

/** A value written into an empty square. */
export interface CellLabel {
  text: string;
  /** Depth, or that it is solved. */
  detail: string;
  kind: 'best' | 'plain' | 'poor';
  spoken: string;
}

/** A tint with a pattern, so that no meaning hangs on a colour alone. */
export type Tint = 'sky' | 'orange' | 'sky-strong' | 'orange-strong';

export interface OverlayCell {
  square: SquareIndex;
  tint?: Tint;
  /** 0 to 1: the size of the mark. */
  weight?: number;
  mark?: 'ring' | 'shield' | 'maybe' | 'wave' | 'outline';
  text?: string;
  spoken?: string;
}

export interface OverlayArrow {
  from: SquareIndex;
  to: SquareIndex;
  kind: 'sky' | 'orange';
}

export interface OverlayView {
  name: string;
  cells: readonly OverlayCell[];
  arrows: readonly OverlayArrow[];
  note: string;
}

/** What a reason points at. */
export interface Highlight {
  squares: readonly SquareIndex[];
}

/** A move that is spoken of: the one of the game, or a better one. */
export interface MoveMark {
  square: SquareIndex;
  kind: 'played' | 'better';
  /** What stands in an empty square. */
  text: string;
  spoken: string;
}

export function cellName(
  square: SquareIndex,
  disc: string,
  about: {
    legal?: LegalMove | undefined;
    last?: boolean;
    label?: CellLabel | undefined;
    overlay?: OverlayCell | undefined;
    highlighted?: boolean;
    mark?: MoveMark | undefined;
    /** Whether it lies in the part of the board to look at. */
    inRegion?: boolean;
  },
): string {
  const words = [nameOf(square)];
  if (disc === 'X') words.push('black disc');
  else if (disc === 'O') words.push('white disc');
  else if (disc === '?') words.push('any');
  else words.push('empty');
  if (about.legal) words.push('legal', `flips ${about.legal.flips.length}`);
  if (about.last) words.push('last move');
  if (about.label) words.push(about.label.spoken);
  if (about.overlay?.spoken) words.push(about.overlay.spoken);
  if (about.highlighted) words.push('highlighted');
  if (about.mark) words.push(about.mark.spoken);
  if (about.inRegion) words.push('look here');
  return words.join(', ');
}
