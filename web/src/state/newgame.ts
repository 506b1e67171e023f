// What the dialog of a new game begins with, what it shows, and the wish that it ends with.

import type {
  EngineName,
  Level,
  LevelKind,
  NewGame,
  People,
  SessionView,
  Settings,
  TimeControlWish,
  Worth,
} from '../api/wire';

interface Option<T extends string> {
  readonly value: T;
  readonly title: string;
}

const options = <T extends string>(titles: Record<T, string>): readonly Option<T>[] =>
  (Object.keys(titles) as T[]).map((value) => ({ value, title: titles[value] }));

/** The lists that an opponent is chosen from. Bots are for measuring. */
export type Tab = Exclude<LevelKind, 'bot'> | 'engine';

export const TABS = options<Tab>({
  opponent: 'Opponents',
  fixed: 'Fixed levels',
  engine: 'Engines',
});
export const SIDES = options<People>({
  black: 'Black',
  white: 'White',
  both: 'Both',
  nobody: 'Neither',
});
export const ENGINES = options<EngineName>({ alphabeta: 'Alpha-beta', mcts: 'Monte Carlo' });

/** The level that an engine plays as if it was chosen itself. */
const ALL_IT_CAN = 'full';

/** The levels to choose from without a tab for each kind: people's opponents first, no bots. */
export function offeredBy(levels: readonly Level[]): { title: string; levels: Level[] }[] {
  return TABS.map(({ value, title }) => ({
    title,
    levels: levels.filter((it) => it.kind === value),
  })).filter((group) => group.levels.length > 0);
}

/** Minutes for each side. */
export const CLOCKS: readonly Option<string>[] = [
  { value: '0', title: 'No clock' },
  ...['5', '10', '25'].map((value) => ({ value, title: `${value} min` })),
];

/** Seconds that the engine may think about a move. */
export const PACES: readonly Option<string>[] = [
  { value: '0', title: 'Its own' },
  ...['1', '3', '10', '30'].map((value) => ({ value, title: `${value} s` })),
];

export interface GameChoice {
  tab: Tab;
  level: string;
  people: People;
  minutes: string;
  engine: EngineName;
  seconds: string;
}

/** Side and clock as chosen last; the opponent nearest to the person, or else the last one. */
export function firstChoice(
  settings: Settings | null,
  session: SessionView | null,
  levels: readonly Level[] = [],
  you: Worth | null = null,
): GameChoice {
  const play = settings?.play;
  const level = nearest(levels, you)?.name ?? play?.level ?? '';
  const engine = session?.engine ?? settings?.engine.engine ?? 'alphabeta';
  const kind = levels.find((it) => it.name === level)?.kind;
  return {
    tab: engine === 'mcts' ? 'engine' : kind === 'fixed' ? 'fixed' : 'opponent',
    level,
    people: play?.people ?? 'black',
    minutes: offered(CLOCKS, (play?.timeControl?.initialMs ?? 0) / 60_000),
    engine,
    seconds: offered(PACES, (session?.moveMs ?? 0) / 1000),
  };
}

function offered(list: readonly Option<string>[], wanted: number): string {
  return list.find((it) => it.value === String(Math.round(wanted)))?.value ?? '0';
}

/** The opponent whose rating is next to the person's. */
export function nearest(levels: readonly Level[], you: Worth | null): Level | undefined {
  if (you === null) return undefined;
  const distance = ({ worth }: Level) => Math.abs((worth?.rating ?? Infinity) - you.rating);
  return levels
    .filter((it) => it.kind === 'opponent')
    .reduce<Level | undefined>(
      (best, it) => (best && distance(best) <= distance(it) ? best : it),
      undefined,
    );
}

/** `1240 ± 25`. */
export function ratingText(worth: Worth | null): string {
  if (worth === null) return 'not rated';
  return `${worth.rating} ± ${Math.round((worth.high - worth.low) / 2)}`;
}

/** How often the person can hope to win. */
export function chanceText(worth: Worth | null, you: Worth | null): string {
  if (worth === null || you === null) return '';
  const tenths = Math.round(10 / (1 + 10 ** ((worth.rating - you.rating) / 400)));
  if (tenths >= 10) return 'you win almost always';
  return tenths <= 0 ? 'you win almost never' : `you win about ${tenths} in 10`;
}

/** A place between the weakest and the strongest of a list, in percent. */
export function place(rating: number, list: readonly Level[]): number {
  const ratings = list.flatMap((it) => (it.worth ? [it.worth.rating] : []));
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const share = (rating - least) / Math.max(1, most - least);
  return 4 + 92 * Math.min(1, Math.max(0, share));
}

/** What becomes of the game on the board. */
export function keptText(session: SessionView | null, levels: readonly Level[]): string {
  if (session === null || session.mode !== 'play' || session.outcome !== null) return '';
  const moves = session.line.length - 1;
  if (moves < 1) return '';
  const title = levels.find((it) => it.name === session.level)?.title;
  const against = title && session.people !== 'both' ? ` against ${title}` : '';
  return `Your game${against} (move ${moves}) is kept in Games.`;
}

export function clockOf({ minutes }: GameChoice): TimeControlWish {
  return { initialMs: Number(minutes) * 60_000, incrementMs: 0 };
}

/** The level and engine that the choice comes to. */
export function opponentOf({ tab, level, engine }: GameChoice): [string, EngineName] {
  return tab === 'engine' ? [ALL_IT_CAN, engine] : [level, 'alphabeta'];
}

/** Whether more time makes the opponent stronger: not where its depth ends its thinking. */
export function takesTime(choice: GameChoice, levels: readonly Level[]): boolean {
  const [level] = opponentOf(choice);
  return levels.find((it) => it.name === level)?.depth === null;
}

export function newGameWish(choice: GameChoice): NewGame {
  const [level, engine] = opponentOf(choice);
  const { people, seconds } = choice;
  const pace = seconds === '0' ? {} : { moveMs: Number(seconds) * 1000 };
  return { mode: 'play', level, people, engine, timeControl: clockOf(choice), ...pace };
}

/** What plays against the person, and how long it may think if that was chosen. */
export function opponentText({ engine, moveMs }: SessionView): string {
  const name = ENGINES.find((it) => it.value === engine)!.title;
  return moveMs === null ? name : `${name}, ${moveMs / 1000} s a move`;
}
