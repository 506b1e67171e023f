// What a player prefers. Kept by the server in the home folder, because the port, and with it the
// browser's own storage, may be another one tomorrow.

import { readBindings, type Bindings } from './keys';

export const THEMES = ['system', 'dark', 'light', 'contrast'] as const;
export type Theme = (typeof THEMES)[number];
export const OVERLAYS = ['mobility', 'parity', 'stability', 'corners', 'frontier'] as const;
export type OverlayKind = (typeof OVERLAYS)[number];
export const SIDES = ['black', 'white', 'both'] as const;
export type HumanSide = (typeof SIDES)[number];

export interface Preferences {
  theme: Theme;
  motion: 'system' | 'less';
  /** Values in Play without being asked; off at first, because they give the game away. */
  valuesInPlay: boolean;
  /** Tells after a move of one's own that it lost much. */
  blunderAlert: boolean;
  level: string;
  side: HumanSide;
  minutes: number | null;
  keys: Bindings;
  welcomed: boolean;
}

export const STANDARD: Preferences = {
  theme: 'system',
  motion: 'system',
  valuesInPlay: false,
  blunderAlert: true,
  level: 'elo_1400',
  side: 'black',
  minutes: null,
  keys: {},
  welcomed: false,
};

/** Reads what was stored, whoever wrote it: what is missing or strange becomes the standard. */
export function readPreferences(stored: unknown): Preferences {
  if (typeof stored !== 'object' || stored === null) return STANDARD;
  const from = stored as Record<string, unknown>;
  const oneOf = <T extends string>(value: unknown, all: readonly T[], standard: T): T =>
    all.find((it) => it === value) ?? standard;
  const flag = (value: unknown, standard: boolean) =>
    typeof value === 'boolean' ? value : standard;
  const minutes = from['minutes'];
  return {
    theme: oneOf(from['theme'], THEMES, STANDARD.theme),
    motion: oneOf(from['motion'], ['system', 'less'], STANDARD.motion),
    valuesInPlay: flag(from['valuesInPlay'], STANDARD.valuesInPlay),
    blunderAlert: flag(from['blunderAlert'], STANDARD.blunderAlert),
    level: typeof from['level'] === 'string' ? from['level'] : STANDARD.level,
    side: oneOf(from['side'], SIDES, STANDARD.side),
    minutes: typeof minutes === 'number' && minutes > 0 && minutes <= 180 ? minutes : null,
    keys: readBindings(from['keys']),
    welcomed: flag(from['welcomed'], STANDARD.welcomed),
  };
}

/** The theme to draw, where `system` has been asked. */
export function drawnTheme(
  theme: Theme,
  system: { light: boolean; contrast: boolean },
): 'dark' | 'light' | 'contrast' {
  if (theme !== 'system') return theme;
  if (system.contrast) return 'contrast';
  return system.light ? 'light' : 'dark';
}
