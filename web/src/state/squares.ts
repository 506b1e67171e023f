// Names and neighbours of squares. This is geometry of the drawing, not a rule of the game.

/** 0 is a1, 7 is h1, 63 is h8: the order of a board string. */
export type SquareIndex = number;

const FILES = 'abcdefgh';

export function nameOf(square: SquareIndex): string {
  return `${FILES[square % 8]}${Math.floor(square / 8) + 1}`;
}

/** The square that a text names, in either case; null for a pass or anything else. */
export function squareOf(text: string): SquareIndex | null {
  const match = /^([a-h])([1-8])$/i.exec(text.trim());
  if (!match) return null;
  return FILES.indexOf(match[1]!.toLowerCase()) + (Number(match[2]) - 1) * 8;
}

export const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const;
export type Arrow = (typeof ARROWS)[number];

export function isArrow(key: string): key is Arrow {
  return (ARROWS as readonly string[]).includes(key);
}

/** Where the focus goes; it stops at the edge. Home and End step through the game, here as anywhere. */
export function neighbour(square: SquareIndex, arrow: Arrow): SquareIndex {
  const column = square % 8;
  const row = Math.floor(square / 8);
  switch (arrow) {
    case 'ArrowLeft':
      return column > 0 ? square - 1 : square;
    case 'ArrowRight':
      return column < 7 ? square + 1 : square;
    case 'ArrowUp':
      return row > 0 ? square - 8 : square;
    case 'ArrowDown':
      return row < 7 ? square + 8 : square;
  }
}

/** Eight rows of eight, as a grid is read aloud. */
export const ROWS: readonly (readonly SquareIndex[])[] = Array.from({ length: 8 }, (_, row) =>
  Array.from({ length: 8 }, (__, column) => row * 8 + column),
);
