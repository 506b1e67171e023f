import { describe, expect, test } from 'vitest';
import { ARROWS, ROWS, isArrow, nameOf, neighbour, squareOf } from './squares';

describe('squares', () => {
  test('every name leads back to its square', () => {
    for (let square = 0; square < 64; square += 1) {
      expect(squareOf(nameOf(square))).toBe(square);
      expect(squareOf(nameOf(square).toUpperCase())).toBe(square);
    }
    expect([nameOf(0), nameOf(7), nameOf(56), nameOf(63)]).toEqual(['a1', 'h1', 'a8', 'h8']);
  });

  test('what is no square has none', () => {
    for (const text of ['', 'ps', 'i1', 'a9', 'a0', 'a11', '5f']) expect(squareOf(text)).toBeNull();
  });

  test('arrows stay on the board and undo each other inside it', () => {
    for (let square = 0; square < 64; square += 1) {
      for (const arrow of ARROWS) {
        const next = neighbour(square, arrow);
        expect(next).toBeGreaterThanOrEqual(0);
        expect(next).toBeLessThan(64);
      }
      const right = neighbour(square, 'ArrowRight');
      if (right !== square) expect(neighbour(right, 'ArrowLeft')).toBe(square);
      const down = neighbour(square, 'ArrowDown');
      if (down !== square) expect(neighbour(down, 'ArrowUp')).toBe(square);
    }
    expect(isArrow('Enter')).toBe(false);
    expect(isArrow('Home')).toBe(false);
  });

  test('rows have every square once', () => {
    expect(ROWS.flat()).toEqual(Array.from({ length: 64 }, (_, square) => square));
  });
});
