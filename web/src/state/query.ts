// Queries as the user reads them: each part is a chip that can be taken off. The text is what the
// server understands, on the command line too; see `kibitz games --help`.

/** A part of a query: `{key: 'year', value: '2024-2026'}`. */
export interface Filter {
  readonly key: string;
  readonly value: string;
}

/** The text of some filters. A value with blanks stands in quotes. */
export function queryText(filters: readonly Filter[]): string {
  return filters
    .map(({ key, value }) => {
      const plain = value.replaceAll('"', ' ').trim();
      return `${key}:${/\s/.test(plain) ? `"${plain}"` : plain}`;
    })
    .join(' ');
}

/** The words of a text; what stands in double quotes is one word. */
function words(text: string): string[] {
  const found = text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
  return found.map((word) => word.replaceAll('"', ''));
}

/** The filters of a saved query. Words without a key are words of a player's name. */
export function readQuery(text: string): Filter[] {
  const filters: Filter[] = [];
  const player: string[] = [];
  for (const word of words(text)) {
    const at = word.indexOf(':');
    if (at <= 0) player.push(word);
    else filters.push({ key: word.slice(0, at), value: word.slice(at + 1) });
  }
  return player.length === 0 ? filters : [{ key: 'player', value: player.join(' ') }, ...filters];
}

/**
 * What somebody typed into the box as filters: years are years, `key:value` is itself, and the
 * other words are looked for in names, events and notes.
 */
export function readTyped(text: string): Filter[] {
  const filters: Filter[] = [];
  const free: string[] = [];
  for (const word of words(text)) {
    if (/^[a-z]+:./.test(word)) {
      const at = word.indexOf(':');
      filters.push({ key: word.slice(0, at), value: word.slice(at + 1) });
    } else if (/^(1[89]|20)\d\d([-–](1[89]|20)\d\d)?$/.test(word)) {
      filters.push({ key: 'year', value: word.replace('–', '-') });
    } else {
      free.push(word);
    }
  }
  return free.length === 0 ? filters : [{ key: 'text', value: free.join(' ') }, ...filters];
}

/** Keys that a game can have several of; of the others a new value replaces the old one. */
const SEVERAL = new Set(['tag']);

/** Filters with some more. Words of a text come together, so that all of them are looked for. */
export function withFilters(
  filters: readonly Filter[],
  more: readonly Filter[],
): readonly Filter[] {
  let all = [...filters];
  for (const filter of more) {
    const known = all.find((it) => it.key === filter.key);
    if (known && (filter.key === 'text' || filter.key === 'player')) {
      const value = `${known.value} ${filter.value}`;
      all = all.map((it) => (it === known ? { ...it, value } : it));
    } else if (all.some((it) => it.key === filter.key && it.value === filter.value)) {
      continue;
    } else {
      if (!SEVERAL.has(filter.key)) all = all.filter((it) => it.key !== filter.key);
      all.push(filter);
    }
  }
  return all;
}

const TITLES: Readonly<Record<string, (value: string) => string>> = {
  text: (value) => `“${value}”`,
  player: (value) => `Player: ${value}`,
  black: (value) => `Black: ${value}`,
  white: (value) => `White: ${value}`,
  event: (value) => `Event: ${value}`,
  year: (value) => value.replace('-', ' – '),
  result: (value) =>
    value === 'draw' ? 'Drawn' : `Won by ${value === 'black' ? 'Black' : 'White'}`,
  moves: (value) => `${value.replace('-', ' – ')} moves`,
  rating: (value) => `Rated ${value} or more`,
  tag: (value) => `Tag: ${value}`,
  own: () => 'My games',
  game: (value) => (value === 'chess' ? 'Chess' : 'Othello'),
  opening: (value) => `Opening: ${value}`,
  position: () => 'A position',
  part: () => 'Part of a position',
};

/** What a chip says. */
export function filterTitle({ key, value }: Filter): string {
  return TITLES[key]?.(value) ?? `${key}: ${value}`;
}
