// The men of chess as drawings of our own, on 100 units; the same outline for both sides.

export type Letter = 'p' | 'n' | 'b' | 'r' | 'q' | 'k';

/** The outline, and the lines inside of it. */
export const PIECES: Record<Letter, { outline: string; inside: string }> = {
  p: {
    outline:
      'M50 20a12 12 0 0 1 8 21c7 4 9 9 9 13H58c1 11 6 17 14 23v9H28v-9c8-6 13-12 14-23h-9c0-4 2-9 9-13a12 12 0 0 1 8-21z',
    inside: 'M30 77h40',
  },
  r: {
    outline: 'M26 22h11v8h8v-8h10v8h8v-8h11v20l-8 7 2 25 8 6v9H24v-9l8-6 2-25-8-7z',
    inside: 'M28 42h44M34 49h32M32 74h36',
  },
  n: {
    outline:
      'M40 20l4 9c20 0 30 17 30 40v17H32c0-14 10-20 14-28-7 2-12 3-16 9l-9-7c5-16 12-30 19-40z',
    inside: 'M41 41l4 2M33 78h41',
  },
  b: {
    outline:
      'M50 16a6 6 0 0 1 4 10c10 8 15 17 13 26-1 5-4 8-7 10l2 11c6 2 10 5 12 13H26c2-8 6-11 12-13l2-11c-3-2-6-5-7-10-2-9 3-18 13-26a6 6 0 0 1 4-10z',
    inside: 'M50 37v15M43 44h14M39 62h22M37 73h26',
  },
  q: {
    outline: 'M20 30l13 16 4-23 13 20 13-20 4 23 13-16-8 37c-1 4 0 6 2 9v10H26V76c2-3 3-5 2-9z',
    inside: 'M29 66h42M28 76h44',
  },
  k: {
    outline:
      'M46 12h8v7h7v8h-7v8c8-4 20-3 24 6 4 10-4 19-12 25l2 10 4 2v8H28v-8l4-2 2-10c-8-6-16-15-12-25 4-9 16-10 24-6v-8h-7v-8h7z',
    inside: 'M50 40v24M34 66h32M33 76h34',
  },
};
