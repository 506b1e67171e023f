import { expect, test } from 'vitest';
import { moveBlocks, moveSpoken, moveText, numberText } from './movelist';
import { node } from './sample';

/** 0 – 1 – 2 – 3 with 4 – 5 instead of 2, and 6 instead of 5. */
const tree = [
  node(0, null, { children: [1] }),
  node(1, 0, { children: [2, 4] }),
  node(2, 1, { children: [3] }),
  node(3, 2),
  node(4, 1, { children: [5, 6], isMain: false }),
  node(5, 4, { isMain: false }),
  node(6, 4, { isMain: false }),
];

test('variations stand below the move that they replace', () => {
  expect(
    moveBlocks(tree).map((block) => [block.level, block.moves.map((move) => move.id)]),
  ).toEqual([
    [0, [1, 2]],
    [1, [4, 5]],
    [2, [6]],
    [0, [3]],
  ]);
});

test('every move is there once', () => {
  const ids = moveBlocks(tree).flatMap((block) => block.moves.map((move) => move.id));
  expect(ids.sort()).toEqual([1, 2, 3, 4, 5, 6]);
});

test('an empty game has no blocks', () => {
  expect(moveBlocks([node(0, null)])).toEqual([]);
  expect(moveBlocks([])).toEqual([]);
});

test('moves are written with their signs and spoken with their side', () => {
  expect(moveText(node(1, 0, { glyphs: ['?!'] }))).toBe('f5?!');
  expect(moveText(node(2, 1, { move: 'ps' }))).toBe('pass');
  expect(moveSpoken(node(3, 2, { number: 3 }))).toBe('Black');
  expect(moveSpoken(node(4, 1, { number: 2, isMain: false }))).toBe('White, variation');
});

test('moves of chess are numbered by pairs', () => {
  const white = node(1, 0, { move: 'e2e4', side: 'white', number: 1 });
  const black = node(2, 1, { move: 'e7e5', side: 'black', number: 1 });
  expect(numberText(white, 'chess', false)).toBe('1.');
  expect(numberText(black, 'chess', false)).toBe('');
  expect(numberText(black, 'chess', true)).toBe('1…');
  expect(numberText(black, 'othello', false)).toBe('1');
});
