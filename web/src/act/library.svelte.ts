// The collection of a window: holds its state, asks the server, and drops answers to questions that
// nobody asks any more. It is fetched with the first place that shows games.

import type { Client } from '../api/client';
import type {
  DeletedGames,
  ExploredPosition,
  FetchWish,
  FileImport,
  FileReceived,
  GameDetails,
  GameRow,
  GamesFormat,
  GamesFound,
  Insights,
  LibraryState as Collection,
  OwnNames,
  SessionView,
} from '../api/wire';
import {
  library,
  LIBRARY_START,
  missingPages,
  PAGE,
  searchText,
  type LibraryEvent,
  type LibraryView,
} from '../state/library';
import { queryText } from '../state/query';
import { sentence } from './context';
import { isNames } from './places';
import type { Send } from './wish';

/** What the rest of the window gives. */
export interface Around {
  readonly ask: Client['ask'];
  readonly hand: Client['hand'];
  readonly send: Send;
}

const query = (parts: Record<string, string | number | null>) => {
  const known = Object.entries(parts).filter(([, value]) => value !== null && value !== '');
  return new URLSearchParams(known.map(([key, value]) => [key, String(value)])).toString();
};

/** Imports are asked about no more often than this. */
const IMPORTS_EVERY_MS = 300;

export class Library {
  #state = $state.raw<LibraryView>(LIBRARY_START);
  #searching = false;
  readonly #fetching = new Set<string>();
  #importsDue: number | null = null;

  constructor(private readonly around: Around) {}

  get state(): LibraryView {
    return this.#state;
  }

  /** Takes an event, and asks the server for what the new state needs. */
  send = (event: LibraryEvent): void => {
    const before = this.#state.asked;
    this.#state = library(this.#state, event);
    if (this.#state.asked !== before) void this.#search();
  };

  /** Shows what there is: at the first look, and again when one comes back. */
  enter = async (): Promise<void> => {
    this.send({ type: 'again' });
    await Promise.all([this.loadCollection(), this.loadImports()]);
  };

  loadCollection = (): Promise<void> =>
    this.#tell(async () => {
      const collection = await this.around.ask<Collection>('GET', '/api/library');
      this.send({ type: 'collection', collection });
    });

  /** One question at a time; the latest one counts. */
  async #search(): Promise<void> {
    if (this.#searching) return;
    this.#searching = true;
    try {
      let asked: number;
      do {
        ({ asked } = this.#state);
        await this.#searchOnce(asked);
      } while (this.#state.asked !== asked);
    } finally {
      this.#searching = false;
    }
  }

  async #searchOnce(asked: number): Promise<void> {
    const { board, filters } = this.#state;
    try {
      if (board.on && board.mode === 'whole') {
        const explored = await this.explore(
          board.start,
          board.moves.slice(0, board.at).join(' '),
          queryText(filters),
          0,
        );
        this.send({ type: 'explored', asked, explored });
        if (this.#state.asked !== asked) return;
      }
      await this.#fetchPage(asked, 0);
    } catch (error) {
      this.send({ type: 'failed', asked, text: sentence(error) });
    }
  }

  async #fetchPage(asked: number, page: number): Promise<void> {
    const found = await this.around.ask<GamesFound>(
      'GET',
      `/api/library/games?${query({
        q: searchText(this.#state),
        order: this.#state.order,
        skip: page * PAGE,
        most: PAGE,
      })}`,
    );
    this.send({ type: 'found', asked, page, found });
  }

  /** Fetches the rows that are on the screen and not here. */
  see = (first: number, last: number): void => {
    const { asked } = this.#state;
    for (const page of missingPages(this.#state, first, last)) {
      const key = `${asked}/${page}`;
      if (this.#fetching.has(key)) continue;
      this.#fetching.add(key);
      void this.#tell(() => this.#fetchPage(asked, page)).finally(() => this.#fetching.delete(key));
    }
  };

  explore = (
    start: string | null,
    moves: string,
    q: string,
    games: number,
  ): Promise<ExploredPosition> =>
    this.around.ask('GET', `/api/library/explore?${query({ start, moves, q, games })}`);

  insights = (q: string): Promise<Insights> =>
    this.around.ask('GET', `/api/library/insights?${query({ q })}`);

  /** Reviews the newest games without a review, as one job. */
  reviewMany = (text: string, most: number): Promise<void> =>
    this.#tell(() => this.around.ask('POST', '/api/library/reviews', { query: text, most }));

  /** Opens a game in Review. */
  open = (game: Pick<GameRow, 'id'>): Promise<void> =>
    this.#tell(async () => {
      const path = `/api/library/games/${game.id}/open`;
      const { id } = await this.around.ask<SessionView>('POST', path, {});
      this.around.send({ type: 'go', route: { place: 'review', id, node: null, panel: null } });
    });

  show = (id: number): Promise<void> =>
    this.#tell(async () => {
      const path = `/api/library/games/${id}`;
      this.send({ type: 'details', details: await this.around.ask<GameDetails>('GET', path) });
    });

  delete = (games: readonly number[]): Promise<void> =>
    this.#wish(async () => {
      const path = '/api/library/delete';
      const { deleted } = await this.around.ask<DeletedGames>('POST', path, { games });
      this.send({ type: 'gone', games });
      this.#say(deleted === 1 ? 'One game was deleted.' : `${deleted} games were deleted.`);
      this.send({ type: 'again' });
      await this.loadCollection();
    });

  tag = (games: readonly number[], tag: string, isSet: boolean): Promise<void> =>
    this.#wish(async () => {
      await this.around.ask('POST', '/api/library/tag', { games, tag, isSet });
      this.send({ type: 'tagged', games, tag, isSet });
    });

  noteGame = (id: number, text: string): Promise<void> =>
    this.#wish(() => this.around.ask('PUT', `/api/library/games/${id}/note`, { text }));

  notePosition = (position: string, text: string): Promise<void> =>
    this.#wish(() => this.around.ask('PUT', '/api/library/note', { position, text }));

  saveSearch = (name: string, text: string | null): Promise<void> =>
    this.#wish(async () => {
      const path = `/api/library/searches/${encodeURIComponent(name)}`;
      if (text === null) await this.around.ask('DELETE', path);
      else await this.around.ask('PUT', path, { query: text });
      this.send({ type: 'dialog', name: null });
      await this.loadCollection();
    });

  setNames = (names: readonly string[]): Promise<void> =>
    this.#wish(async () => {
      await this.around.ask<OwnNames>('PUT', '/api/library/me', { names });
      await this.loadCollection();
    });

  /** Where a file of games is to be had: the chosen ones, or all that are found. */
  exportAddress(format: GamesFormat, games: readonly number[] | null): string {
    const { order } = this.#state;
    const wanted =
      games === null
        ? query({ q: searchText(this.#state), order })
        : query({ games: games.join(',') });
    return `/api/library/export?format=${format}&${wanted}`;
  }

  /** Hands files over, names before the games that use them. */
  importFiles = async (files: readonly File[]): Promise<void> => {
    const sorted = files.toSorted((a, b) => Number(isNames(b)) - Number(isNames(a)));
    for (const file of sorted) {
      this.send({ type: 'sending', name: file.name, on: true });
      await this.#tell(async () => {
        const path = `/api/library/imports?${query({ name: file.name })}`;
        const received = await this.around.hand<FileReceived>(path, file);
        if (received.note !== null) this.#say(received.note);
      });
      this.send({ type: 'sending', name: file.name, on: false });
      await this.loadImports();
    }
  };

  /** Begins to fetch games from a server far away; what is wrong, if anything is. */
  fetchGames = (wish: FetchWish): Promise<string | null> =>
    this.#refusal(async () => {
      await this.around.ask('POST', '/api/library/fetch', wish);
      await this.loadImports();
    });

  /** Keeps a token for Lichess, or forgets it; what is wrong, if anything is. */
  setToken = (token: string | null): Promise<string | null> =>
    this.#refusal(async () => {
      await this.around.ask('PUT', '/api/library/fetch/token', { token });
      await this.loadCollection();
    });

  /** The user allows requests to servers. */
  allowFetching = (): Promise<void> =>
    this.#tell(async () => {
      await this.around.ask('POST', '/api/engines/consent', { allowed: true });
      await this.loadCollection();
    });

  loadImports = (): Promise<void> =>
    this.#tell(async () => {
      const imports = await this.around.ask<FileImport[]>('GET', '/api/library/imports');
      this.send({ type: 'imports', imports });
    });

  /** A job came on: what it has read is asked for, not too often. */
  importsChanged = (isOver: boolean): void => {
    if (isOver) {
      this.send({ type: 'again' });
      void this.loadCollection();
    }
    if (this.#importsDue !== null) return;
    this.#importsDue = window.setTimeout(() => {
      this.#importsDue = null;
      void this.loadImports();
    }, IMPORTS_EVERY_MS);
  };

  #say(text: string): void {
    this.around.send({ type: 'tell', text });
  }

  /** Does something; gives the sentence of a refusal. */
  async #refusal(work: () => Promise<void>): Promise<string | null> {
    try {
      await work();
      return null;
    } catch (error) {
      return sentence(error);
    }
  }

  /** Does something; what is wrong is a message. */
  async #tell(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.around.send({ type: 'tell', text: sentence(error), level: 'warning' });
    }
  }

  /** The same for a wish of a dialog, which stays open and says what is wrong. */
  async #wish(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.send({ type: 'refused', text: sentence(error) });
      if (this.#state.dialog === null) await this.#tell(() => Promise.reject(error));
    }
  }
}

const libraries = new WeakMap<object, Library>();

/** The one library of a window. */
export function libraryOf(around: Around): Library {
  let found = libraries.get(around.ask);
  if (found === undefined) {
    found = new Library(around);
    libraries.set(around.ask, found);
  }
  return found;
}
