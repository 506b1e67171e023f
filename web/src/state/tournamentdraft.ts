// A tournament that is being made: templates, fields, and what is sent.

import type { GameKind, TournamentEngine, TournamentFormat, TournamentWish } from '../api/wire';

export const TEMPLATES = [
  {
    value: 'test',
    title: 'Test a change',
    note: 'Is the new version better? It stops when that is clear.',
  },
  { value: 'league', title: 'League', note: 'Everyone against everyone.' },
  { value: 'calibrate', title: 'How strong is it?', note: 'One against opponents that are known.' },
  { value: 'swiss', title: 'Swiss', note: 'Many engines, few rounds.' },
  { value: 'knockout', title: 'Knockout', note: 'Who loses is out.' },
] as const;
export type Template = (typeof TEMPLATES)[number]['value'];

/** Somebody who takes part, as the form has it. */
export interface DraftEngine {
  /** `level:elo_800`, `engine:stockfish`. */
  who: string;
  name: string;
  limit: 'clock' | 'own' | 'depth' | 'nodes';
  value: string;
}

export interface Draft {
  template: Template;
  name: string;
  game: GameKind;
  format: TournamentFormat;
  rounds: number;
  bothColours: boolean;
  seeds: number;
  seed: number;
  concurrency: number;
  time: string;
  openings: string;
  random: boolean;
  plies: string;
  resign: boolean;
  resignScore: number;
  resignMoves: number;
  twoSided: boolean;
  draw: boolean;
  drawScore: number;
  drawMoves: number;
  drawFrom: number;
  maxMoves: string;
  solve: number;
  tables: string;
  ignoreFifty: boolean;
  ponder: boolean;
  restart: boolean;
  test: boolean;
  elo0: number;
  elo1: number;
  wrong: number;
  model: string;
  engines: DraftEngine[];
}

/** Who can take part. */
export interface Choice {
  readonly who: string;
  readonly title: string;
  readonly game: GameKind;
}

const NAMES: Record<Template, string> = {
  test: 'New against old',
  league: 'League',
  calibrate: 'How strong is it?',
  swiss: 'Swiss',
  knockout: 'Knockout',
};

const FORMATS: Record<Template, TournamentFormat> = {
  test: 'round-robin',
  league: 'round-robin',
  calibrate: 'gauntlet',
  swiss: 'swiss',
  knockout: 'knockout',
};

const ROUNDS: Record<Template, number> = {
  test: 1000,
  league: 10,
  calibrate: 25,
  swiss: 5,
  knockout: 1,
};

const PLAYERS: Record<Template, number> = {
  test: 2,
  league: 4,
  calibrate: 4,
  swiss: 8,
  knockout: 8,
};

/** A draft from a template, with engines that are there. */
export function draftOf(template: Template, game: GameKind, choices: readonly Choice[]): Draft {
  const fitting = choices.filter((it) => it.game === game);
  const wanted = PLAYERS[template];
  // Spread over all that are there, from the first to the last.
  const step = fitting.length > wanted ? (fitting.length - 1) / Math.max(1, wanted - 1) : 1;
  const chosen = Array.from({ length: Math.min(wanted, fitting.length) }, (_, at) =>
    engineOf(fitting[Math.round(at * step)]!),
  );
  return {
    template,
    name: NAMES[template],
    game,
    format: FORMATS[template],
    rounds: ROUNDS[template],
    bothColours: true,
    seeds: 1,
    seed: 1,
    concurrency: 1,
    time: game === 'chess' ? '10+0.1' : '',
    openings: '',
    random: true,
    plies: '',
    resign: game === 'chess',
    resignScore: 1000,
    resignMoves: 3,
    twoSided: true,
    draw: game === 'chess',
    drawScore: 10,
    drawMoves: 8,
    drawFrom: 40,
    maxMoves: '',
    solve: 0,
    tables: '',
    ignoreFifty: false,
    ponder: false,
    restart: false,
    test: template === 'test',
    elo0: 0,
    elo1: 10,
    wrong: 5,
    model: 'logistic',
    engines: unlike(chosen),
  };
}

/** A level has its own limits; a foreign engine goes by the clock of all. */
export function engineOf(choice: Choice): DraftEngine {
  const isLevel = choice.who.startsWith('level:');
  return { who: choice.who, name: choice.title, limit: isLevel ? 'own' : 'clock', value: '' };
}

/** Gives engines of one name numbers, so that tables can tell them apart. */
export function unlike(engines: readonly DraftEngine[]): DraftEngine[] {
  return engines.map((engine, at) => {
    const before = engines.slice(0, at).filter((it) => it.name === engine.name).length;
    return before === 0 ? engine : { ...engine, name: `${engine.name} (${before + 1})` };
  });
}

/** How many games it will be at most; null where ties or results decide. */
export function nGames(draft: Draft): number | null {
  const n = draft.engines.length;
  const each = draft.bothColours ? 2 : 1;
  switch (draft.format) {
    case 'round-robin':
      return ((n * (n - 1)) / 2) * draft.rounds * each;
    case 'double-round-robin':
      return n * (n - 1) * draft.rounds * each;
    case 'gauntlet':
      return draft.seeds * Math.max(0, n - draft.seeds) * draft.rounds * each;
    case 'swiss':
      return Math.floor(n / 2) * draft.rounds * each;
    case 'knockout':
      return null;
  }
}

function number(text: string): number | undefined {
  const trimmed = String(text ?? '').trim();
  return trimmed === '' ? undefined : Number(trimmed);
}

function engineWish(engine: DraftEngine): TournamentEngine {
  const [kind, id = ''] = engine.who.split(':', 2);
  const wish: TournamentEngine = { name: engine.name.trim() };
  if (kind === 'engine') wish.engine = id;
  else wish.level = id;
  const value = number(engine.value);
  if (engine.limit === 'depth' && value !== undefined) wish.depth = value;
  if (engine.limit === 'nodes' && value !== undefined) wish.nodes = value;
  return wish;
}

/** What is sent. Fields that do not matter to the game or the plan are left out. */
export function wishOf(draft: Draft): TournamentWish {
  const isChess = draft.game === 'chess';
  const wish: TournamentWish = {
    name: draft.name.trim(),
    game: draft.game,
    format: draft.format,
    rounds: draft.rounds,
    games: draft.bothColours ? 2 : 1,
    seeds: draft.seeds,
    seed: draft.seed,
    concurrency: draft.concurrency,
    marginMs: 0,
    solveEmpties: isChess ? 0 : draft.solve,
    ponder: draft.ponder,
    restart: draft.restart,
    affinity: false,
    engines: draft.engines.map(engineWish),
  };
  const time = draft.time.trim();
  if (time !== '') wish.time = time;
  const maxMoves = number(draft.maxMoves);
  if (maxMoves !== undefined) wish.maxMoves = maxMoves;
  if (draft.openings.trim() !== '') {
    wish.openings = { file: draft.openings.trim(), random: draft.random };
    const plies = number(draft.plies);
    if (plies !== undefined) wish.openings.plies = plies;
  }
  if (draft.resign) {
    wish.resign = {
      score: draft.resignScore,
      moves: draft.resignMoves,
      twoSided: draft.twoSided,
      fromMove: 0,
    };
  }
  if (draft.draw) {
    wish.draw = {
      score: draft.drawScore,
      moves: draft.drawMoves,
      twoSided: false,
      fromMove: draft.drawFrom,
    };
  }
  if (isChess && draft.tables.trim() !== '') {
    wish.tables = { folder: draft.tables.trim(), ignoreFiftyMoves: draft.ignoreFifty };
  }
  if (draft.test) {
    const share = draft.wrong / 100;
    wish.sprt = {
      elo0: draft.elo0,
      elo1: draft.elo1,
      alpha: share,
      beta: share,
      model: draft.model,
    };
  }
  return wish;
}
