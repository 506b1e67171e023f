// Where a window is: the part of the address behind `#`. Two windows may be at two games.

/** The columns of Review. */
export const PANELS = ['coach', 'engines', 'explorer', 'notes'] as const;
export type Panel = (typeof PANELS)[number];

/** The parts of Games; the first needs no word in the address. */
export const GAMES_TABS = ['found', 'recent', 'imports', 'insights', 'searches'] as const;
export type GamesTab = (typeof GAMES_TABS)[number];

/** The parts of the Lab. */
export const LAB_TABS = ['engines', 'tournaments', 'tuning'] as const;
export type LabTab = (typeof LAB_TABS)[number];

export type Route =
  /** No address yet: the game that was opened last. */
  | { place: 'start' }
  | { place: 'play'; id: string }
  /** Without a node: where the game stands. Without a panel: the one that fits. */
  | { place: 'review'; id: string; node: number | null; panel: Panel | null }
  | { place: 'games'; tab: GamesTab }
  /** The item is a tournament's number, or `new`. */
  | { place: 'lab'; tab: LabTab; item: string | null }
  | { place: 'unknown'; text: string };

export type Place = Route['place'];
/** Places with a board. */
export type BoardPlace = 'play' | 'review';

const ID = /^[A-Za-z0-9_-]{1,64}$/;

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#/, '');
  if (text === '' || text === '/') return { place: 'start' };
  const unknown: Route = { place: 'unknown', text };
  const [path = '', query = ''] = text.split('?', 2);
  const [empty, place, ...rest] = path.replace(/\/$/, '').split('/');
  if (empty !== '') return unknown;
  const [id, node, ...more] = rest;
  if (place === 'lab') return parseLab(id, node, more.length) ?? unknown;
  if (place === 'games') {
    const tab = GAMES_TABS.find((it) => it === (id ?? 'found'));
    return tab === undefined || node !== undefined ? unknown : { place: 'games', tab };
  }
  // A place that is typed without a game is about the game that was opened last.
  if (id === undefined && (place === 'play' || place === 'review')) return { place: 'start' };
  if (id === undefined || !ID.test(id) || more.length > 0) return unknown;
  if (place === 'play') return node === undefined ? { place: 'play', id } : unknown;
  if (place !== 'review' || (node !== undefined && !/^\d{1,9}$/.test(node))) return unknown;
  const wanted = new URLSearchParams(query).get('panel');
  const panel = PANELS.find((it) => it === wanted) ?? null;
  return { place: 'review', id, node: node === undefined ? null : Number(node), panel };
}

function parseLab(part = 'engines', item: string | undefined, nMore: number): Route | null {
  const tab = LAB_TABS.find((it) => it === part);
  const fits = item === undefined || (tab === 'tournaments' && /^(new|[1-9]\d{0,8})$/.test(item));
  if (tab === undefined || !fits || nMore > 0) return null;
  return { place: 'lab', tab, item: item ?? null };
}

export function formatRoute(route: Route): string {
  switch (route.place) {
    case 'start':
      return '#/';
    case 'play':
      return `#/play/${route.id}`;
    case 'review': {
      const node = route.node === null ? '' : `/${route.node}`;
      const panel = route.panel === null ? '' : `?panel=${route.panel}`;
      return `#/review/${route.id}${node}${panel}`;
    }
    case 'games':
      return route.tab === 'found' ? '#/games' : `#/games/${route.tab}`;
    case 'lab':
      return `#/lab/${route.tab}${route.item === null ? '' : `/${route.item}`}`;
    case 'unknown':
      return `#${route.text}`;
  }
}

/** The session that a place is about, if it is about one. */
export function sessionOf(route: Route): string | null {
  return route.place === 'play' || route.place === 'review' ? route.id : null;
}

export function isBoard(place: Place): place is BoardPlace {
  return place === 'play' || place === 'review';
}
