// Plain data for the unit tests, in the shapes of the wire.

import type {
  AnalysisState,
  LastMove,
  LegalMove,
  Line,
  Node,
  PreviewStep,
  Report,
  SessionView,
  Settings,
  Side,
} from '../api/wire';

export function node(id: number, parent: number | null, over: Partial<Node> = {}): Node {
  return {
    id,
    parent,
    children: [],
    ply: id,
    number: parent === null ? null : id,
    move: parent === null ? null : 'f5',
    text: over.move ?? (parent === null ? null : 'f5'),
    side: parent === null ? null : id % 2 === 1 ? 'black' : 'white',
    isMain: true,
    comment: null,
    glyphs: [],
    value: null,
    tried: null,
    ...over,
  };
}

export function line(
  move: string,
  square: number | null,
  score: number,
  glyph: Line['glyph'] = null,
): Line {
  return { move, square, score, mate: null, bound: 'exact', moves: [move], texts: [move], glyph };
}

export function report(lines: Line[], over: Partial<Report> = {}): Report {
  return {
    side: 'black',
    score: lines[0]?.score ?? 0,
    black: lines[0]?.score ?? 0,
    mate: null,
    chances: null,
    selectiveDepth: null,
    bound: 'exact',
    depth: 12,
    solved: false,
    confidencePercent: 100,
    nodes: 1000,
    timeMs: 10,
    statistics: null,
    lines,
    label: 'depth 12',
    ...over,
  };
}

export function session(over: Partial<SessionView> = {}): SessionView {
  return {
    id: 's1',
    revision: 1,
    game: 'othello',
    opponent: null,
    mode: 'play',
    people: 'black',
    level: 'elo_400',
    engine: 'alphabeta',
    moveMs: null,
    showValues: false,
    node: 0,
    position: {
      kind: 'othello',
      board: '---------------------------OX------XO---------------------------',
      turn: 'black',
      black: 2,
      white: 2,
      empties: 60,
    },
    legal: [legal('d3', 19, [27])],
    title: null,
    notSaved: null,
    mustPass: false,
    lastMove: null,
    tree: [node(0, null)],
    line: [0],
    opening: null,
    book: [],
    status: 'Black to move · 60 empty',
    outcome: null,
    clock: null,
    awaiting: 'human',
    thinking: false,
    canUndo: false,
    canResign: false,
    drawClaim: null,
    canRedo: false,
    players: {
      black: { kind: 'human', name: 'You' },
      white: { kind: 'engine', name: 'elo_400' },
    },
    tags: { event: null, date: null, result: null },
    blunder: null,
    isFinished: false,
    isHeld: false,
    asks: true,
    analyses: [],
    ...over,
  };
}

export function legal(move: string, square: number, flips: number[] = []): LegalMove {
  return { move, text: move, square, flips, chess: null };
}

export function lastMove(
  move: string,
  square: number | null,
  side: Side,
  flips: number[] = [],
): LastMove {
  return { move, text: move, square, from: null, flips, side };
}

export function step(move: string, square: number | null, side: Side): PreviewStep {
  const { position } = session();
  return { move, text: move, square, from: null, side, flips: [], position };
}

export function analysis(over: Partial<AnalysisState> = {}): AnalysisState {
  return {
    session: 's1',
    engine: 'alphabeta',
    title: 'Kibitz',
    node: 0,
    generation: 1,
    status: 'running',
    lines: 1,
    follows: true,
    only: [],
    report: null,
    choice: null,
    judgements: [],
    tablebaseHits: null,
    trouble: null,
    ...over,
  };
}

export function settings(over: Partial<Settings> = {}): Settings {
  return {
    ui: { theme: 'dark', reducedMotion: false, tryFirst: true, overlays: [], keys: {} },
    engine: {
      ttMb: 64,
      threads: 0,
      endgameExactEmpties: 18,
      engine: 'alphabeta',
      evaluator: 'pattern',
      weights: '',
      aspirationCp: 100,
      lmr: 'normal',
      book: true,
      chessBook: '',
    },
    play: {
      level: 'elo_1400',
      people: 'white',
      timeControl: { initialMs: 300_000, incrementMs: 0 },
      showValues: false,
      blunderAlert: true,
      askBefore: false,
    },
    isFirstLaunch: false,
    warnings: [],
    ...over,
  };
}
