import { expect, test } from 'vitest';
import type { AnalysisState, LegalMove, Line } from '../api/wire';
import {
  arrowsOf,
  boardRows,
  compared,
  movesBetween,
  pawns,
  placeOf,
  squareName,
  squaresOf,
} from './chess';
import { withAnalysis } from './session';

const line = (move: string, text: string, score: number): Line => ({
  move,
  square: null,
  score,
  mate: null,
  bound: 'exact',
  moves: [move],
  texts: [text],
  glyph: null,
});

function analysis(engine: string, lines: Line[], generation = 1): AnalysisState {
  return {
    session: 's1',
    engine,
    title: engine,
    node: 0,
    generation,
    status: 'running',
    lines: 1,
    follows: true,
    only: [],
    report: {
      side: 'black',
      score: lines[0]?.score ?? 0,
      black: lines[0]?.score ?? 0,
      mate: null,
      chances: null,
      selectiveDepth: null,
      bound: 'exact',
      depth: 20,
      solved: false,
      confidencePercent: 100,
      nodes: 1,
      timeMs: 1,
      statistics: null,
      lines,
      label: 'depth 20',
    },
    choice: null,
    judgements: [],
    tablebaseHits: null,
    trouble: null,
  };
}

test('White is below until the board is turned', () => {
  expect(boardRows(false)[0]![0]).toBe(56);
  expect(boardRows(true)[0]![0]).toBe(7);
  expect(placeOf(0, false)).toEqual({ x: 0, y: 7 });
  expect(placeOf(0, true)).toEqual({ x: 7, y: 0 });
});

test('a cell says what stands there and what can be done', () => {
  const nothing = { canMove: false, chosen: false, target: false, last: false, check: false };
  expect(squareName(6, 'N', { ...nothing, canMove: true })).toBe('g1, white knight, can move');
  expect(squareName(4, 'k', { ...nothing, check: true })).toBe('e1, black king, in check');
  expect(squareName(20, '-', { ...nothing, target: true })).toBe('e3, empty, move here');
});

test('castling is meant by the square of the king and by that of the rook', () => {
  const castle: LegalMove = {
    move: 'e1g1',
    text: 'O-O',
    square: 6,
    flips: [],
    chess: { from: 4, promotion: null, rook: 7 },
  };
  expect(movesBetween([castle], 4, 6)).toEqual([castle]);
  expect(movesBetween([castle], 4, 7)).toEqual([castle]);
  expect(movesBetween([castle], 4, 5)).toEqual([]);
});

test('values are White’s, in pawns', () => {
  expect(pawns(28, null, 'white')).toBe('+0.28');
  expect(pawns(28, null, 'black')).toBe('−0.28');
  expect(pawns(0, null, 'black')).toBe('0.00');
  expect(pawns(1_000_000, 3, 'white')).toBe('#3');
  expect(pawns(1_000_000, 3, 'black')).toBe('−#3');
  expect(pawns(-1_000_000, 0, 'white')).toBe('−#0');
});

test('engines are compared and never averaged', () => {
  const a = analysis('a', [line('c6a5', 'Na5', -28), line('c8b7', 'Bb7', -31)]);
  const b = analysis('b', [line('c8b7', 'Bb7', -11)]);
  b.judgements = [{ move: 'c6a5', text: 'Na5', score: -19, mate: null, depth: 9 }];
  const { sentence, rows } = compared([a, b]);
  expect(sentence).toBe('They disagree: two engines, two moves');
  expect(rows.map((it) => [it.text, it.differ])).toEqual([
    ['Na5', 9],
    ['Bb7', 20],
  ]);
  expect(rows[0]!.said[0]).toEqual({ score: -28, mate: null, isOwn: true });
  expect(compared([a]).rows).toEqual([]);
  expect(compared([b, b]).sentence).toBe('They agree: Bb7');
  expect(arrowsOf([a, b]).map((it) => [it.letter, it.from, it.to])).toEqual([
    ['A', 42, 32],
    ['B', 58, 49],
  ]);
});

test('each engine has one analysis, the newest', () => {
  const old = analysis('a', []);
  const other = analysis('b', []);
  const newer = analysis('a', [], 4);
  expect(withAnalysis([old, other], newer)).toEqual([other, newer]);
  expect(withAnalysis([newer], old)).toEqual([newer]);
  expect(withAnalysis([newer], { ...newer, report: null })).toEqual([newer]);
  expect(withAnalysis([newer], { ...newer, generation: 5, status: 'stopped' })).toEqual([]);
  expect(squaresOf('f5')).toEqual({ from: null, to: 37 });
  expect(squaresOf('ps')).toBeNull();
});
