import { describe, expect, test } from 'vitest';
import { ACTIONS, actionOf, isFixed, keyLabel, keyOf, readBindings, rebind } from './keys';

const press = (key: string, over: object = {}) => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...over,
});

describe('keys', () => {
  test('no standard key is used twice', () => {
    const keys = ACTIONS.map((action) => keyOf(action.id, {}));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('a key means its action in either case, but not with Ctrl', () => {
    expect(actionOf(press('z'), {})).toBe('undo');
    expect(actionOf(press('Z'), {})).toBe('undo');
    expect(actionOf(press(' '), {})).toBe('best');
    expect(actionOf(press('z', { ctrlKey: true }), {})).toBeNull();
    expect(actionOf(press('q'), {})).toBeNull();
  });

  test('a rebound action leaves its old key', () => {
    const result = rebind({}, 'hint', 'J');
    expect(result).toEqual({ ok: true, bindings: { hint: 'j' } });
    if (!result.ok) return;
    expect(actionOf(press('j'), result.bindings)).toBe('hint');
    expect(actionOf(press('h'), result.bindings)).toBeNull();
    expect(rebind(result.bindings, 'hint', 'h')).toEqual({ ok: true, bindings: {} });
  });

  test('taken and reserved keys are refused with a reason', () => {
    expect(rebind({}, 'hint', 'z')).toEqual({
      ok: false,
      problem: 'Z is already “Take a move back”.',
    });
    for (const key of ['Enter', 'Tab', 'ArrowUp', 'F5']) {
      expect(rebind({}, 'hint', key).ok).toBe(false);
    }
    expect(isFixed('first')).toBe(true);
    expect(rebind({}, 'first', 'x').ok).toBe(false);
  });

  test('stored nonsense is dropped, the rest is kept', () => {
    expect(readBindings({ hint: 'j', nonsense: 'k', undo: 5, redo: 'j', best: '' })).toEqual({
      hint: 'j',
    });
    expect(readBindings(null)).toEqual({});
    expect(readBindings('x')).toEqual({});
  });

  test('labels are readable', () => {
    expect([keyLabel(' '), keyLabel('z'), keyLabel('Home')]).toEqual(['Space', 'Z', 'Home']);
  });
});
