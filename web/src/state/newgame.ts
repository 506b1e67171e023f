// What the dialog of a new game begins with, and the wish that it ends with.

import type {
  EngineName,
  NewGame,
  People,
  SessionView,
  Settings,
  TimeControlWish,
} from '../api/wire';

interface Option<T extends string> {
  readonly value: T;
  readonly title: string;
}

const options = <T extends string>(titles: Record<T, string>): readonly Option<T>[] =>
  (Object.keys(titles) as T[]).map((value) => ({ value, title: titles[value] }));

export const SIDES = options<People>({
  black: 'Black',
  white: 'White',
  both: 'Both',
  nobody: 'Neither',
});
export const ENGINES = options<EngineName>({ alphabeta: 'Alpha-beta', mcts: 'Monte Carlo' });

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
  level: string;
  people: People;
  minutes: string;
  engine: EngineName;
  seconds: string;
}

/** Level, side and clock as chosen last; engine and pace as in the game on the board. */
export function firstChoice(settings: Settings | null, session: SessionView | null): GameChoice {
  const play = settings?.play;
  return {
    level: play?.level ?? '',
    people: play?.people ?? 'black',
    minutes: offered(CLOCKS, (play?.timeControl?.initialMs ?? 0) / 60_000),
    engine: session?.engine ?? settings?.engine.engine ?? 'alphabeta',
    seconds: offered(PACES, (session?.moveMs ?? 0) / 1000),
  };
}

function offered(list: readonly Option<string>[], wanted: number): string {
  return list.find((it) => it.value === String(Math.round(wanted)))?.value ?? '0';
}

export function clockOf({ minutes }: GameChoice): TimeControlWish {
  return { initialMs: Number(minutes) * 60_000, incrementMs: 0 };
}

export function newGameWish(choice: GameChoice): NewGame {
  const { level, people, engine, seconds } = choice;
  const pace = seconds === '0' ? {} : { moveMs: Number(seconds) * 1000 };
  return { mode: 'play', level, people, engine, timeControl: clockOf(choice), ...pace };
}

/** What plays against the person, and how long it may think if that was chosen. */
export function opponentText({ engine, moveMs }: SessionView): string {
  const name = ENGINES.find((it) => it.value === engine)!.title;
  return moveMs === null ? name : `${name}, ${moveMs / 1000} s a move`;
}
