import { expect, test } from 'vitest';
import { countOf, EMPTY, positionText, put, START_BOARD, type SetUp } from './setup';

const setUp: SetUp = { board: EMPTY, turn: 'black', tool: 'turn' };

test('a click turns a square from empty to black to white and back', () => {
  const black = put(setUp, 19);
  expect(black.board[19]).toBe('X');
  const white = put(black, 19);
  expect(white.board[19]).toBe('O');
  expect(put(white, 19).board).toBe(EMPTY);
});

test('a chosen disc is put down, and taken away by a second click', () => {
  const white = put({ ...setUp, tool: 'O' }, 0);
  expect(white.board[0]).toBe('O');
  expect(put(white, 0).board).toBe(EMPTY);
  expect(put({ ...white, tool: 'X' }, 0).board[0]).toBe('X');
});

test('the text is what the server reads', () => {
  expect(positionText({ ...setUp, board: START_BOARD, turn: 'white' })).toBe(`${START_BOARD} O`);
  expect(START_BOARD).toHaveLength(64);
  expect(countOf(START_BOARD, 'X')).toBe(2);
});
