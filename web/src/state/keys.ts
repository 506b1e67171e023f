// Which key does what. Letters can be remapped; what is stored is only the difference.

export const ACTIONS = [
  { id: 'newGame', keys: ['n'], text: 'New game' },
  { id: 'undo', keys: ['z'], text: 'Take a move back' },
  { id: 'redo', keys: ['y'], text: 'Play it again' },
  { id: 'back', keys: ['['], text: 'One move back' },
  { id: 'forward', keys: [']'], text: 'One move forward' },
  { id: 'first', keys: ['Home'], text: 'To the start', fixed: true },
  { id: 'last', keys: ['End'], text: 'To the end of the line', fixed: true },
  { id: 'best', keys: [' '], text: 'Play the best move' },
  { id: 'hint', keys: ['h'], text: 'Hint' },
  { id: 'why', keys: ['w'], text: 'Why, or why not here?' },
  { id: 'values', keys: ['v'], text: 'Values on the board' },
  { id: 'overlays', keys: ['o'], text: 'Overlay on or off' },
  { id: 'overlay1', keys: ['1'], text: 'Overlay: mobility' },
  { id: 'overlay2', keys: ['2'], text: 'Overlay: parity' },
  { id: 'overlay3', keys: ['3'], text: 'Overlay: stability' },
  { id: 'overlay4', keys: ['4'], text: 'Overlay: corners' },
  { id: 'overlay5', keys: ['5'], text: 'Overlay: frontier' },
  { id: 'analyse', keys: ['a'], text: 'Start or stop the analysis' },
  { id: 'typeMove', keys: ['m'], text: 'Type a move' },
  { id: 'board', keys: ['b'], text: 'Focus the board' },
  { id: 'paste', keys: ['p'], text: 'Paste a game or position' },
  { id: 'help', keys: ['?'], text: 'Help' },
] as const satisfies readonly { id: string; keys: string[]; text: string; fixed?: boolean }[];

export type Action = (typeof ACTIONS)[number]['id'];
export type Bindings = Readonly<Partial<Record<Action, string>>>;

/** Keys that steer focus and dialogs and therefore cannot be given away. */
const RESERVED = new Set(['Tab', 'Enter', 'Escape', 'Shift', 'Control', 'Alt', 'Meta', 'Dead']);

export function isFixed(action: Action): boolean {
  const found = ACTIONS.find((it) => it.id === action);
  return found !== undefined && 'fixed' in found;
}

/** The key of an action as `KeyboardEvent.key` has it, letters in lower case. */
export function keyOf(action: Action, bindings: Bindings): string {
  return bindings[action] ?? ACTIONS.find((it) => it.id === action)!.keys[0];
}

/** How a key is shown: `Space`, `Z`, `[`. */
export function keyLabel(key: string): string {
  if (key === ' ') return 'Space';
  return key.length === 1 ? key.toUpperCase() : key;
}

export interface Pressed {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

export function actionOf(event: Pressed, bindings: Bindings): Action | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const key = normal(event.key);
  return ACTIONS.find((it) => keyOf(it.id, bindings) === key)?.id ?? null;
}

export type Rebinding = { ok: true; bindings: Bindings } | { ok: false; problem: string };

/** Gives an action another key; says why not if that key is taken or means something else. */
export function rebind(bindings: Bindings, action: Action, pressed: string): Rebinding {
  const key = normal(pressed);
  if (isFixed(action)) return { ok: false, problem: 'This key cannot be changed.' };
  if (RESERVED.has(key) || key.startsWith('Arrow') || /^F\d+$/.test(key)) {
    return { ok: false, problem: `${keyLabel(key)} is needed elsewhere; press another key.` };
  }
  const holder = ACTIONS.find((it) => it.id !== action && keyOf(it.id, bindings) === key);
  if (holder) {
    return { ok: false, problem: `${keyLabel(key)} is already “${holder.text}”.` };
  }
  const next: Partial<Record<Action, string>> = { ...bindings };
  const standard = ACTIONS.find((it) => it.id === action)!.keys[0];
  if (key === standard) delete next[action];
  else next[action] = key;
  return { ok: true, bindings: next };
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
  // Space presses a button.
  return key === ' ' && target.closest('button, a, summary, [role="switch"]') !== null;
}

function normal(key: string): string {
  return key.length === 1 ? key.toLowerCase() : key;
}
