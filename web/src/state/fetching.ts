// What can be fetched from Lichess and Chess.com, and a form as a wish.

import type { FetchSource, FetchWish } from '../api/wire';

interface About {
  readonly title: string;
  readonly label: string;
  readonly example: string;
  readonly note: string;
  readonly hasMost: boolean;
  readonly hasSince: boolean;
  readonly hasFollow: boolean;
}

const PLAYER = { hasSince: true, hasFollow: false } as const;
const PAGE = { hasMost: false, hasSince: false } as const;

export const SOURCES: Record<FetchSource, About> = {
  lichessPlayer: {
    ...PLAYER,
    title: 'A player on Lichess',
    label: 'Name, or address of the page',
    example: 'DrNykterstein',
    note: 'Lichess sends about 20 games a second.',
    hasMost: true,
  },
  lichessRound: {
    ...PAGE,
    title: 'A round of a Lichess broadcast',
    label: 'Address of the round',
    example: 'https://lichess.org/broadcast/…/…/abcdefgh',
    note: 'Games come in once they have a result.',
    hasFollow: true,
  },
  lichessStudy: {
    ...PAGE,
    title: 'A study on Lichess',
    label: 'Address of the study',
    example: 'https://lichess.org/study/abcdefgh',
    note: 'Every chapter becomes a game, with its variations and comments.',
    hasFollow: false,
  },
  chessComPlayer: {
    ...PLAYER,
    title: 'A player on Chess.com',
    label: 'Name, or address of the page',
    example: 'erik',
    note: 'Games come month by month.',
    hasMost: false,
  },
};

interface Draft {
  readonly name: string;
  /** A field of numbers gives a number, or null when it is emptied. */
  readonly most: string | number | null;
  readonly since: string;
  readonly follow: boolean;
  readonly anew: boolean;
}

/** What of a form concerns its source. */
export function fetchWish(source: FetchSource, draft: Draft): FetchWish {
  const about = SOURCES[source];
  const most = Number(draft.most ?? 0);
  const since = draft.since.trim();
  return {
    source,
    name: draft.name.trim(),
    ...(about.hasMost && most > 0 ? { most: Math.round(most) } : {}),
    ...(about.hasSince && since !== '' ? { since } : {}),
    ...(about.hasSince && draft.anew ? { anew: true } : {}),
    ...(about.hasFollow && draft.follow ? { follow: true } : {}),
  };
}
