import { describe, expect, test } from 'vitest';
import { ACTIONS, actionOf, isFixed, isIn, keyLabel, keyOf, readBindings, rebind } from './keys';

const press = (key: string, over: object = {}) => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...over,
});

describe('keys', () => {
  test.each(['play', 'review', 'games'] as const)(
    'no standard key is used twice in %s',
    (place) => {
      const here = ACTIONS.filter((action) => isIn(action.id, place));
      const keys = here.map((action) => keyOf(action.id, {}));
      expect(new Set(keys).size).toBe(keys.length);
    },
  );

  test('a key means what its place says', () => {
    expect(actionOf(press('n'), {}, 'play')).toBe('newGame');
    expect(actionOf(press('n'), {}, 'review')).toBe('nextMistake');
    expect(actionOf(press('N', { shiftKey: true }), {}, 'review')).toBe('lastMistake');
    expect(actionOf(press('N', { shiftKey: true }), {}, 'play')).toBe('newGame');
    expect(actionOf(press('z'), {}, 'games')).toBeNull();
    expect(actionOf(press('?', { shiftKey: true }), {}, 'games')).toBe('help');
  });

  test('arrows step, whatever the letters were changed to', () => {
    expect(actionOf(press('ArrowLeft'), {}, 'play')).toBe('back');
    expect(actionOf(press('ArrowRight'), { forward: 'x' }, 'review')).toBe('forward');
    expect(actionOf(press('x'), { forward: 'x' }, 'review')).toBe('forward');
    expect(actionOf(press('ArrowLeft'), {}, 'games')).toBeNull();
  });

  test('a key means its action in either case, but not with Ctrl', () => {
    expect(actionOf(press('z'), {}, 'play')).toBe('undo');
    expect(actionOf(press('Z'), {}, 'play')).toBe('undo');
    expect(actionOf(press(' '), {}, 'play')).toBe('best');
    expect(actionOf(press('z', { ctrlKey: true }), {}, 'play')).toBeNull();
    expect(actionOf(press('q'), {}, 'play')).toBeNull();
  });

  test('a rebound action leaves its old key', () => {
    const result = rebind({}, 'hint', 'J');
    expect(result).toEqual({ ok: true, bindings: { hint: 'j' } });
    if (!result.ok) return;
    expect(actionOf(press('j'), result.bindings, 'play')).toBe('hint');
    expect(actionOf(press('h'), result.bindings, 'play')).toBeNull();
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
    // The same key may do something else at another place.
    expect(rebind({}, 'nextMistake', 'n')).toEqual({ ok: true, bindings: {} });
    expect(rebind({}, 'hint', 'n').ok).toBe(false);
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
    expect([' ', 'z', 'Home', 'Shift+n'].map(keyLabel)).toEqual(['Space', 'Z', 'Home', 'Shift+N']);
  });
});
