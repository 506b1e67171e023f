// How numbers are written for people: true minus signs, discs, shortened counts.

const MINUS = '\u2212';

/** Centidiscs as discs: `+2`, `−4.5`, `0`. Whole discs stay whole. */
export function discs(centidiscs: number): string {
  const rounded = Math.round(centidiscs / 10) / 10;
  const size = Math.abs(rounded);
  const text = Number.isInteger(size) ? String(size) : size.toFixed(1);
  if (rounded === 0) return '0';
  return rounded < 0 ? `${MINUS}${text}` : `+${text}`;
}

/** The same for the little room of a square: no fraction from ten discs on. */
export function discsShort(centidiscs: number): string {
  if (Math.abs(centidiscs) < 995) return discs(centidiscs);
  return discs(Math.round(centidiscs / 100) * 100);
}

/** A loss has no sign: it is written as a size. */
export function discsLost(centidiscs: number): string {
  return discs(Math.abs(centidiscs)).replace('+', '');
}

/** For a voice: `plus 2`, `minus 4.5`, `even`. */
export function discsSpoken(centidiscs: number): string {
  const text = discs(centidiscs);
  if (text === '0') return 'even';
  return text.replace('+', 'plus ').replace(MINUS, 'minus ');
}

/** 1234567 → `1.2 M`. */
export function countShort(count: number): string {
  if (count < 1000) return String(Math.round(count));
  for (const [size, unit] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (count >= size) {
      const value = count / size;
      return `${value < 10 ? value.toFixed(1) : String(Math.round(value))} ${unit}`;
    }
  }
  return String(count);
}

/** Seconds left on a clock: `4:05`, and tenths when it gets close. */
export function clock(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
