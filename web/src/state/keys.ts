// Which key does what, and where. Letters can be remapped; what is stored is only the difference.

import type { Place } from './route';

interface ActionInfo {
  id: string;
  /** The first can be changed, the others stay. */
  keys: readonly string[];
  text: string;
  /** Where it means something; everywhere if left out. */
  places?: readonly Place[];
  /** Its key cannot be changed. */
  fixed?: true;
}

const BOARD = ['play', 'review'] as const;

export const ACTIONS = [
  { id: 'newGame', keys: ['n'], text: 'New game', places: ['play', 'games'] },
  { id: 'nextMistake', keys: ['n'], text: 'Next mistake', places: ['review'] },
  { id: 'lastMistake', keys: ['Shift+n'], text: 'Mistake before', places: ['review'] },
  { id: 'undo', keys: ['z'], text: 'Take a move back', places: BOARD },
  { id: 'redo', keys: ['y'], text: 'Play it again', places: BOARD },
  { id: 'back', keys: ['[', 'ArrowLeft'], text: 'One move back', places: BOARD },
  { id: 'forward', keys: [']', 'ArrowRight'], text: 'One move forward', places: BOARD },
  { id: 'first', keys: ['Home'], text: 'To the start', places: BOARD, fixed: true },
  { id: 'last', keys: ['End'], text: 'To the end of the line', places: BOARD, fixed: true },
  { id: 'best', keys: [' '], text: 'Play the best move', places: BOARD },
  { id: 'hint', keys: ['h'], text: 'Hint', places: BOARD },
  { id: 'why', keys: ['w'], text: 'Why, or why not here?', places: BOARD },
  { id: 'showAnswer', keys: ['s'], text: 'Show the answer at a mistake', places: ['review'] },
  { id: 'keepMove', keys: ['k'], text: 'Keep a move that was asked about', places: ['play'] },
  { id: 'values', keys: ['v'], text: 'Values on the board', places: BOARD },
  { id: 'overlays', keys: ['o'], text: 'Overlay on or off', places: BOARD },
  { id: 'overlay1', keys: ['1'], text: 'Overlay: mobility', places: BOARD },
  { id: 'overlay2', keys: ['2'], text: 'Overlay: parity', places: BOARD },
  { id: 'overlay3', keys: ['3'], text: 'Overlay: stability', places: BOARD },
  { id: 'overlay4', keys: ['4'], text: 'Overlay: corners', places: BOARD },
  { id: 'overlay5', keys: ['5'], text: 'Overlay: frontier', places: BOARD },
  { id: 'analyse', keys: ['a'], text: 'Start or stop the analysis', places: BOARD },
  {
    id: 'freeze',
    keys: ['f'],
    text: 'Engines stay at this position, or follow',
    places: ['review'],
  },
  { id: 'typeMove', keys: ['m'], text: 'Type a move', places: BOARD },
  { id: 'board', keys: ['b'], text: 'Focus the board', places: BOARD },
  { id: 'search', keys: ['/'], text: 'Find games', places: ['games'] },
  { id: 'goto', keys: ['g'], text: 'Go to a place: then P, R, G or L' },
  { id: 'paste', keys: ['p'], text: 'Paste a game or position' },
  { id: 'help', keys: ['?'], text: 'Help' },
] as const satisfies readonly ActionInfo[];

export type Action = (typeof ACTIONS)[number]['id'];
export type Bindings = Readonly<Partial<Record<Action, string>>>;

/** The second key after the one for `goto`. */
export const GOTO_KEYS = { p: 'play', r: 'review', g: 'games', l: 'lab' } as const;

/** Keys that steer focus and dialogs and therefore cannot be given away. */
const RESERVED = new Set(['Tab', 'Enter', 'Escape', 'Shift', 'Control', 'Alt', 'Meta', 'Dead']);

const infoOf = (action: Action): ActionInfo => ACTIONS.find((it) => it.id === action)!;

export function isFixed(action: Action): boolean {
  return infoOf(action).fixed ?? false;
}

export function isIn(action: Action, place: Place): boolean {
  return infoOf(action).places?.includes(place) ?? true;
}

/** The key of an action as `KeyboardEvent.key` has it, letters in lower case. */
export function keyOf(action: Action, bindings: Bindings): string {
  return bindings[action] ?? infoOf(action).keys[0]!;
}

/** The key of an action as it is shown. */
export function labelOf(action: Action, bindings: Bindings): string {
  return keyLabel(keyOf(action, bindings));
}

/** How a key is shown: `Space`, `Z`, `[`, `Shift+N`. */
export function keyLabel(key: string): string {
  if (key === ' ') return 'Space';
  if (key.startsWith('Shift+')) return `Shift+${key.slice(6).toUpperCase()}`;
  return key.length === 1 ? key.toUpperCase() : key;
}

export interface Pressed {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  shiftKey?: boolean;
}

/** What a key means at a place. A letter with Shift means what it means without, if nothing else. */
export function actionOf(event: Pressed, bindings: Bindings, place: Place): Action | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const key = normal(event.key);
  const here = ACTIONS.filter((it) => isIn(it.id, place));
  const holder = (wanted: string) =>
    here.find(
      (it) => keyOf(it.id, bindings) === wanted || infoOf(it.id).keys.slice(1).includes(wanted),
    )?.id;
  const shifted = event.shiftKey ? holder(`Shift+${key}`) : undefined;
  return shifted ?? holder(key) ?? null;
}

export type Rebinding = { ok: true; bindings: Bindings } | { ok: false; problem: string };

/** Gives an action another key; says why not if that key is taken or means something else. */
export function rebind(bindings: Bindings, action: Action, pressed: string): Rebinding {
  const key = pressed.startsWith('Shift+') ? pressed : normal(pressed);
  if (isFixed(action)) return { ok: false, problem: 'This key cannot be changed.' };
  if (RESERVED.has(key) || key.startsWith('Arrow') || /^F\d+$/.test(key)) {
    return { ok: false, problem: `${keyLabel(key)} is needed elsewhere; press another key.` };
  }
  const holder = ACTIONS.find(
    (it) => it.id !== action && keyOf(it.id, bindings) === key && overlap(it.id, action),
  );
  if (holder) {
    return { ok: false, problem: `${keyLabel(key)} is already “${holder.text}”.` };
  }
  const next: Partial<Record<Action, string>> = { ...bindings };
  if (key === infoOf(action).keys[0]) delete next[action];
  else next[action] = key;
  return { ok: true, bindings: next };
}

/** Whether two actions can meet: the same key may do two things in two places. */
function overlap(a: Action, b: Action): boolean {
  const [here, there] = [infoOf(a).places, infoOf(b).places];
  return here === undefined || there === undefined || here.some((it) => there.includes(it));
}

/** Keeps what makes sense of stored bindings: known actions, one key each, no key twice. */
export function readBindings(stored: unknown): Bindings {
  let bindings: Bindings = {};
  if (typeof stored !== 'object' || stored === null) return bindings;
  for (const [id, key] of Object.entries(stored)) {
    const action = ACTIONS.find((it) => it.id === id)?.id;
    if (action === undefined || typeof key !== 'string' || key === '') continue;
    const result = rebind(bindings, action, key);
    if (result.ok) bindings = result.bindings;
  }
  return bindings;
}

/** Whether a key press belongs to the element that has the focus instead of to us. */
export function belongsToField(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input, textarea, select, [contenteditable]')) return true;
  // Space presses a button; arrows move inside of tabs and sliders.
  if (key.startsWith('Arrow')) return target.closest('[role="tablist"], [role="slider"]') !== null;
  return key === ' ' && target.closest('button, a, summary, [role="switch"]') !== null;
}

function normal(key: string): string {
  return key.length === 1 ? key.toLowerCase() : key;
}
