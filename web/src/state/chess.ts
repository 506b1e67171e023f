// What a board of chess and the engines beside it show, as functions of plain data. No rule of the
// game is here: moves, squares and values come from the server.

import type { AnalysisState, LegalMove, Side } from '../api/wire';
import { nameOf, squareOf, type SquareIndex } from './squares';

/** Eight rows of eight as they are drawn: White below, or Black if the board is turned. */
export function boardRows(turned: boolean): readonly (readonly SquareIndex[])[] {
  const up = [7, 6, 5, 4, 3, 2, 1, 0];
  const across = [0, 1, 2, 3, 4, 5, 6, 7];
  const rows = turned ? across : up;
  const columns = turned ? across.toReversed() : across;
  return rows.map((row) => columns.map((column) => row * 8 + column));
}

/** Where a square is drawn: column and row, from the top left. */
export function placeOf(square: SquareIndex, turned: boolean): { x: number; y: number } {
  const [column, row] = [square % 8, Math.floor(square / 8)];
  return turned ? { x: 7 - column, y: row } : { x: column, y: 7 - row };
}

const ROLES: Record<string, string> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

/** "white knight", or "empty". */
export function manName(letter: string): string {
  const role = ROLES[letter.toLowerCase()];
  if (role === undefined) return 'empty';
  return `${letter === letter.toUpperCase() ? 'white' : 'black'} ${role}`;
}

/** What a cell of the board is called. */
export function squareName(
  square: SquareIndex,
  letter: string,
  about: { canMove: boolean; chosen: boolean; target: boolean; last: boolean; check: boolean },
): string {
  const words = [nameOf(square), manName(letter)];
  if (about.check) words.push('in check');
  if (about.chosen) words.push('chosen');
  else if (about.target) words.push(letter === '-' ? 'move here' : 'capture here');
  else if (about.canMove) words.push('can move');
  if (about.last) words.push('last move');
  return words.join(', ');
}

/** The moves of the man on a square. */
export function movesFrom(legal: readonly LegalMove[], from: SquareIndex): LegalMove[] {
  return legal.filter((move) => move.chess?.from === from);
}

/** The moves that a pair of squares means: several where a pawn becomes something. */
export function movesBetween(
  legal: readonly LegalMove[],
  from: SquareIndex,
  to: SquareIndex,
): LegalMove[] {
  const own = movesFrom(legal, from);
  const exact = own.filter((move) => move.square === to);
  // The rook of castling means castling, unless a man can step there.
  return exact.length > 0 ? exact : own.filter((move) => move.chess?.rook === to);
}

/** Hundredths of a pawn as White sees them: `+0.28`, `−1.50`, `#3`. */
export function pawns(score: number, mate: number | null, side: Side): string {
  const sign = side === 'white' ? 1 : -1;
  if (mate !== null) {
    const moves = sign * (mate === 0 && score < 0 ? -0.5 : mate);
    const text = `#${Math.abs(Math.trunc(moves))}`;
    return moves < 0 ? `\u2212${text}` : text;
  }
  const value = sign * score;
  const text = (Math.abs(value) / 100).toFixed(2);
  if (Math.abs(value) < 0.5) return '0.00';
  return value < 0 ? `\u2212${text}` : `+${text}`;
}

/** Whole discs for Othello, pawns for chess: a value as it is written in the panel of engines. */
export type ValueText = (score: number, mate: number | null, side: Side) => string;

/** The letter of an engine: its colour and the kind of its arrow go by it. */
export const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] as const;

export interface EngineArrow {
  letter: string;
  /** Which of the kinds of arrows: solid, dashed, dotted, and again. */
  kind: number;
  from: SquareIndex | null;
  to: SquareIndex;
}

/** The engines that look at the position shown, in the order in which they get their letters. */
export function shownAnalyses(
  analyses: readonly AnalysisState[],
  node: number | null,
): AnalysisState[] {
  const here = analyses.filter((it) => it.node === node || !it.follows);
  return here.toSorted((a, b) => a.engine.localeCompare(b.engine));
}

/** The squares of a move in coordinates. */
export function squaresOf(move: string): { from: SquareIndex | null; to: SquareIndex } | null {
  const first = squareOf(move.slice(0, 2));
  if (first === null) return null;
  const second = squareOf(move.slice(2, 4));
  return second === null ? { from: null, to: first } : { from: first, to: second };
}

/** An arrow for each choice, with the letters of the engines that made it. */
export function arrowsOf(analyses: readonly AnalysisState[]): EngineArrow[] {
  const arrows = new Map<string, EngineArrow>();
  analyses.forEach((analysis, index) => {
    const line = analysis.report?.lines[0];
    const squares = line === undefined ? null : squaresOf(line.move);
    if (line === undefined || squares === null) return;
    const letter = LETTERS[index] ?? '?';
    const before = arrows.get(line.move);
    // Engines that choose the same move share its arrow.
    if (before) arrows.set(line.move, { ...before, letter: before.letter + letter });
    else arrows.set(line.move, { letter, kind: index % 3, ...squares });
  });
  return [...arrows.values()];
}

/** What one engine says of one move. */
export interface Said {
  score: number;
  mate: number | null;
  /** Whether it is the engine's own choice. */
  isOwn: boolean;
}

export interface Compared {
  /** One sentence: whether they agree. */
  sentence: string;
  /** The choices, each with what every engine says of it; empty where there is nothing to compare. */
  rows: { move: string; text: string; said: (Said | null)[]; differ: number | null }[];
}

const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const count = (n: number) => COUNTS[n] ?? String(n);

/** Whether engines agree, and what each thinks of the others' moves. Nothing is averaged. */
export function compared(analyses: readonly AnalysisState[]): Compared {
  const speaking = analyses.filter((it) => it.report !== null && it.report.lines.length > 0);
  const choices = new Map(
    speaking.map((it) => [it.report!.lines[0]!.move, it.report!.lines[0]!.texts[0] ?? '']),
  );
  if (speaking.length < 2) return { sentence: '', rows: [] };
  const sentence =
    choices.size === 1
      ? `They agree: ${[...choices.values()][0]}`
      : `They disagree: ${count(speaking.length)} engines, ${count(choices.size)} moves`;
  const rows = [...choices].map(([move, text]) => {
    const said = analyses.map((it) => saidOf(it, move));
    const values = said.flatMap((it) => (it === null || it.mate !== null ? [] : [it.score]));
    const differ = values.length < 2 ? null : Math.max(...values) - Math.min(...values);
    return { move, text, said, differ };
  });
  return { sentence, rows };
}

function saidOf(analysis: AnalysisState, move: string): Said | null {
  const lines = analysis.report?.lines ?? [];
  const line = lines.find((it) => it.move === move);
  if (line) return { score: line.score, mate: line.mate, isOwn: lines[0] === line };
  const judged = analysis.judgements.find((it) => it.move === move);
  return judged ? { score: judged.score, mate: judged.mate, isOwn: false } : null;
}
