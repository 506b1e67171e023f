import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drawnTheme } from './theme';

test('the system is asked until somebody chooses', () => {
  expect(drawnTheme('system', { light: true, contrast: false })).toBe('light');
  expect(drawnTheme('system', { light: false, contrast: false })).toBe('dark');
  expect(drawnTheme(undefined, { light: true, contrast: true })).toBe('contrast');
  expect(drawnTheme('dark', { light: true, contrast: true })).toBe('dark');
  expect(drawnTheme('highContrast', { light: true, contrast: false })).toBe('contrast');
});

/** The tokens of each theme; light and contrast change what dark has. */
function themes(): Map<string, Map<string, string>> {
  const css = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');
  const found = new Map<string, Map<string, string>>();
  for (const block of css.matchAll(/:root(?:\[data-theme='(\w+)'\])? \{([^}]*)\}/g)) {
    const name = block[1] ?? 'dark';
    if (found.has(name)) continue;
    const tokens = new Map(found.get('dark'));
    for (const token of block[2]!.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)) {
      tokens.set(token[1]!, token[2]!);
    }
    found.set(name, tokens);
  }
  return found;
}

function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

describe.each([...themes()])('colours of %s', (_, tokens) => {
  test.each([
    ['text', 'bg', 4.5],
    ['text', 'surface', 4.5],
    ['text', 'surface-raised', 4.5],
    ['text', 'surface-press', 4.5],
    ['text', 'accent-soft', 4.5],
    ['text', 'warn-soft', 4.5],
    ['text-muted', 'bg', 4.5],
    ['text-muted', 'surface', 4.5],
    ['text-muted', 'surface-raised', 4.5],
    ['accent-ink', 'accent', 4.5],
    ['accent', 'surface', 4.5],
    ['warn', 'warn-soft', 4.5],
    ['board-text', 'board', 4.5],
    ['board-coordinate', 'board', 4.5],
    ['board-coordinate', 'board-edge', 4.5],
    ['best', 'board', 4.5],
    ['best-ink', 'best', 4.5],
    ['sky', 'board', 3],
    ['orange', 'board', 3],
    ['disc-black-rim', 'board', 3],
    ['disc-white', 'board', 3],
    ['line-strong', 'surface', 3],
    ['line-strong', 'bg', 3],
    ['focus', 'bg', 3],
    ['board-focus', 'board', 3],
  ])('%s on %s', (front, back, least) => {
    expect(contrast(tokens.get(front)!, tokens.get(back)!)).toBeGreaterThanOrEqual(least);
  });
});
