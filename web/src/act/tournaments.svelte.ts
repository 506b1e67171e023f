// The tournaments of a window: holds their state and asks the server. It is fetched with the place
// that shows them. A running tournament is looked at twice a second as long as somebody sees the
// page, however many moves are played: whoever does not look costs nothing.

import type { Client } from '../api/client';
import type {
  SessionView,
  TournamentBoards,
  TournamentExport,
  TournamentGames,
  TournamentSummary,
  TournamentView,
  TournamentWish,
} from '../api/wire';
import {
  isAlive,
  isMoving,
  tournaments,
  TOURNAMENTS_START,
  type GamesWish,
  type TournamentEvent,
  type TournamentsView,
} from '../state/tournament';
import { sentence } from './context';
import type { Send } from './wish';

/** What the rest of the window gives. */
export interface Around {
  readonly ask: Client['ask'];
  readonly send: Send;
}

const LOOK_EVERY_MS = 500;

/** Tables and curves change with finished pairs; more often than this nobody reads them. */
const VIEW_EVERY_MS = 1000;

/** What another program plays is read from the disk. */
const ELSEWHERE_EVERY_MS = 3000;

const GAMES_SHOWN = 200;

export const exportAddress = (id: number, format: TournamentExport): string =>
  `/api/tournaments/${id}/export?format=${format}`;

export class Tournaments {
  #state = $state.raw<TournamentsView>(TOURNAMENTS_START);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pairs = -1;
  #viewedAt = 0;
  /** Which round of looks is under way; 0 is none. */
  #round = 0;
  #rounds = 0;

  constructor(
    private readonly around: Around,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get state(): TournamentsView {
    return this.#state;
  }

  send = (event: TournamentEvent): void => {
    this.#state = tournaments(this.#state, event);
    if (event.type === 'gamesAsked') void this.#findGames(event.wish);
  };

  /** Shows the list, or one tournament. */
  async enter(id: number | null): Promise<void> {
    this.send({ type: 'entered', id });
    this.#pairs = -1;
    await (id === null ? this.refresh() : this.#view());
    this.#goOn();
  }

  /** Something began, stands still, goes on or ended. */
  async refresh(): Promise<void> {
    try {
      const list = await this.around.ask<TournamentSummary[]>('GET', '/api/tournaments');
      this.send({ type: 'listed', list });
      if (this.#state.id !== null) await this.#view();
      this.#goOn();
    } catch (error) {
      this.send({ type: 'failed', text: sentence(error) });
    }
  }

  /** The place is left: nothing is asked any more. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#round = 0;
  }

  /** Begins a tournament; gives its number, or what is wrong with it. */
  async begin(wish: TournamentWish): Promise<number | string> {
    try {
      const made = await this.around.ask<TournamentView>('POST', '/api/tournaments', wish);
      return made.summary.id;
    } catch (error) {
      return sentence(error);
    }
  }

  async steer(wish: 'pause' | 'resume' | 'finish' | 'stop'): Promise<void> {
    const { id } = this.#state;
    if (id === null) return;
    const path = `/api/tournaments/${id}/${wish === 'finish' ? 'stop' : wish}`;
    const body = wish === 'stop' ? { atOnce: true } : undefined;
    try {
      const view = await this.around.ask<TournamentView>('POST', path, body);
      this.send({ type: 'viewed', view });
      this.#goOn();
    } catch (error) {
      this.around.send({ type: 'tell', text: sentence(error), level: 'warning' });
    }
  }

  /** Opens a finished game in Review. */
  async open(pair: number, game: number): Promise<void> {
    const { id } = this.#state;
    if (id === null) return;
    try {
      const path = `/api/tournaments/${id}/games/${pair}/${game}/open`;
      const { id: session } = await this.around.ask<SessionView>('POST', path);
      const route = { place: 'review', id: session, node: null, panel: null } as const;
      this.around.send({ type: 'go', route });
    } catch (error) {
      this.around.send({ type: 'tell', text: sentence(error), level: 'warning' });
    }
  }

  async #view(): Promise<void> {
    const { id } = this.#state;
    if (id === null) return;
    this.#viewedAt = this.now();
    try {
      const view = await this.around.ask<TournamentView>('GET', `/api/tournaments/${id}`);
      this.send({ type: 'viewed', view });
    } catch (error) {
      if (this.#state.id === id) this.send({ type: 'failed', text: sentence(error) });
    }
  }

  /** Asks for older games than those that are shown. */
  async moreGames(): Promise<void> {
    const { games } = this.#state;
    if (games !== null && games.found !== null) {
      await this.#findGames(games.wish, games.found.games.length);
    }
  }

  async #findGames(wish: GamesWish, from = 0): Promise<void> {
    const { id } = this.#state;
    if (id === null) return;
    const query = new URLSearchParams({ count: String(GAMES_SHOWN) });
    if (from > 0) query.set('from', String(from));
    if (wish.of === 'pair') {
      query.set('a', String(wish.players[0]));
      query.set('b', String(wish.players[1]));
    }
    if (wish.of === 'faults') query.set('faults', 'true');
    try {
      const path = `/api/tournaments/${id}/games?${query}`;
      const found = await this.around.ask<TournamentGames>('GET', path);
      this.send({ type: from > 0 ? 'moreGamesFound' : 'gamesFound', wish, found });
    } catch (error) {
      if (from === 0) this.send({ type: 'gamesClosed' });
      this.around.send({ type: 'tell', text: sentence(error), level: 'warning' });
    }
  }

  /** Looks again and again, one question at a time, as long as games are played. */
  #goOn(): void {
    const { view } = this.#state;
    if (this.#round !== 0 || view === null || !isMoving(view.summary.state)) return;
    this.#rounds += 1;
    this.#round = this.#rounds;
    void this.#look(this.#round);
  }

  async #look(round: number): Promise<void> {
    const { id } = this.#state;
    const isHere = this.#state.view === null || isAlive(this.#state.view.summary.state);
    if (id !== null && !isHidden() && !isHere) {
      // There are no boards to look at.
      await this.#view();
    } else if (id !== null && !isHidden()) {
      try {
        const path = `/api/tournaments/${id}/boards`;
        const boards = await this.around.ask<TournamentBoards>('GET', path);
        this.send({ type: 'boarded', id, boards });
        const isDue = this.now() - this.#viewedAt >= VIEW_EVERY_MS;
        if (boards.pairs !== this.#pairs && isDue) {
          this.#pairs = boards.pairs;
          await this.#view();
        }
      } catch {
        // The stream tells that the server has gone; what is shown stays.
      }
    }
    // Somebody has left the place meanwhile, or come back.
    if (this.#round !== round) return;
    const { view } = this.#state;
    if (view === null || !isMoving(view.summary.state)) {
      this.#round = 0;
      return;
    }
    const waitMs = isAlive(view.summary.state) ? LOOK_EVERY_MS : ELSEWHERE_EVERY_MS;
    this.#timer = setTimeout(() => void this.#look(round), waitMs);
  }
}

const isHidden = () => typeof document !== 'undefined' && document.hidden;

const known = new WeakMap<object, Tournaments>();

/** The tournaments of a window. */
export function tournamentsOf(around: Around): Tournaments {
  let found = known.get(around.ask);
  if (found === undefined) {
    found = new Tournaments(around);
    known.set(around.ask, found);
  }
  return found;
}
