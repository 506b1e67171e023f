// Which rows of a long list are on the screen. Browsers make no element taller than some millions
// of pixels, so the bar of a very long list is shorter than its rows would be.

const TALLEST = 8_000_000;

export interface Window {
  /** How tall the scrolled element is. */
  readonly height: number;
  /** The row at the top, with the fraction that is scrolled out. */
  readonly top: number;
}

export interface List {
  readonly total: number;
  readonly row: number;
  /** The height that is seen. */
  readonly seen: number;
}

const whole = ({ total, row }: List) => total * row;

/** How tall the scrolled element is. */
export function heightOf(list: List): number {
  return Math.min(whole(list), TALLEST);
}

/** Whether the bar moves faster than the rows. */
export function isScaled(list: List): boolean {
  return whole(list) > TALLEST;
}

const slack = (list: List) => Math.max(0, heightOf(list) - list.seen);
const rows = (list: List) => Math.max(0, list.total - list.seen / list.row);

/** The row at the top of the window for a place of the bar. */
export function topRow(list: List, scrollTop: number): number {
  if (!isScaled(list)) return scrollTop / list.row;
  const room = slack(list);
  return room === 0 ? 0 : (Math.min(scrollTop, room) / room) * rows(list);
}

/** The place of the bar for a row at the top. */
export function scrollTopOf(list: List, top: number): number {
  if (!isScaled(list)) return top * list.row;
  const most = rows(list);
  return most === 0 ? 0 : (Math.max(0, Math.min(top, most)) / most) * slack(list);
}

/** The row at the top after which a row is seen whole. */
export function reveal(list: List, top: number, at: number): number {
  const seen = list.seen / list.row;
  if (at < top) return at;
  if (at + 1 > top + seen) return Math.max(0, at + 1 - seen);
  return top;
}
