// What is around every place: where the window is, the connection, settings, jobs, the open dialog,
// messages.

import type { About, Job, Level, ServerEvent, Settings, Worth } from '../api/wire';
import type { Event } from './event';
import type { Route } from './route';
import { isOver } from './review';
import type { Connection, DialogName, Import, Testing, Toast } from './types';

export interface ShellState {
  readonly route: Route;
  /** The session that the last board showed: the way back from Games. */
  readonly lastSession: string | null;
  readonly connection: Connection;
  readonly settings: Settings | null;
  readonly levels: readonly Level[];
  /** What the person is worth, if that is known. */
  readonly you: Worth | null;
  readonly about: About | null;
  readonly jobs: readonly Job[];
  /** How often engines were added, removed or tried. */
  readonly engines: number;
  /** How often tournaments began, stood still, went on or ended. */
  readonly tournaments: number;
  /** How often values of engines were written down. */
  readonly values: number;
  readonly dialog: DialogName | null;
  readonly import: Import | null;
  /** Why the last change of the engine was refused; shown beside its fields. */
  readonly engineRefusal: string | null;
  readonly testing: Testing | null;
  readonly toasts: readonly Toast[];
  readonly nToasts: number;
  /** The latest sentence for screen readers. */
  readonly spoken: string;
}

export const SHELL_START: ShellState = {
  route: { place: 'start' },
  lastSession: null,
  connection: 'connecting',
  settings: null,
  levels: [],
  you: null,
  about: null,
  jobs: [],
  engines: 0,
  tournaments: 0,
  values: 0,
  dialog: null,
  import: null,
  engineRefusal: null,
  testing: null,
  toasts: [],
  nToasts: 0,
  spoken: '',
};

const TOASTS_KEPT = 3;

/** Connections after which nothing was missed. */
export const FRESH: readonly Connection[] = ['connecting', 'open'];

export function shell(state: ShellState, event: Event): ShellState {
  switch (event.type) {
    case 'routed':
      return routed(state, event.route);
    case 'server':
      return server(state, event.event);
    case 'gameDeleted':
      return forgotten(state, event.id);
    case 'panel':
      return state.route.place === 'review'
        ? { ...state, route: { ...state.route, panel: event.panel } }
        : state;
    case 'whyAsked':
      return {
        ...state,
        dialog: null,
        route: state.route.place === 'review' ? { ...state.route, panel: 'coach' } : state.route,
      };
    case 'connection':
      return connected(state, event.state);
    case 'settings':
      return { ...state, settings: event.settings, engineRefusal: null };
    case 'engineRefused':
      return { ...state, engineRefusal: event.text };
    case 'levels':
      return { ...state, levels: event.levels };
    case 'you':
      return { ...state, you: event.you };
    case 'about':
      return { ...state, about: event.about };
    case 'dialog':
      // What a test found is true for its moment only.
      return { ...state, dialog: event.name, import: null, testing: null, engineRefusal: null };
    case 'testing':
      return { ...state, testing: event.state };
    case 'import':
      return { ...state, import: event.state, dialog: event.state ? 'paste' : state.dialog };
    case 'told':
      return told(state, event.level, event.text);
    case 'dismiss':
      return { ...state, toasts: state.toasts.filter((it) => it.id !== event.toast) };
    case 'said':
      return said(state, event.text);
    default:
      return state;
  }
}

function routed(state: ShellState, route: Route): ShellState {
  const id = 'id' in route ? route.id : state.lastSession;
  return { ...state, route, lastSession: id, dialog: null };
}

function server(state: ShellState, event: ServerEvent): ShellState {
  switch (event.type) {
    case 'settings':
      return { ...state, settings: event.data };
    case 'deleted':
      return forgotten(state, event.data.session);
    case 'notice':
      return told(state, event.data.level, event.data.message);
    case 'engines':
      return { ...state, engines: state.engines + 1 };
    case 'tournaments':
      return { ...state, tournaments: state.tournaments + 1 };
    case 'values':
      return { ...state, values: state.values + 1 };
    case 'job':
      return { ...state, jobs: withJob(state.jobs, event.data) };
    default:
      return state;
  }
}

/**
 * A stream begins with all jobs. After a gap they may be those of another run; else they are the ones
 * that are known, and what has become of them since is news.
 */
function connected(state: ShellState, connection: Connection): ShellState {
  const isAnew = connection === 'open' && !FRESH.includes(state.connection);
  return { ...state, connection, jobs: isAnew ? [] : state.jobs };
}

/** No way leads back to a game that is gone. */
function forgotten(state: ShellState, session: string): ShellState {
  return state.lastSession === session ? { ...state, lastSession: null } : state;
}

/** Jobs only go on: the answer to a request may be overtaken by events that came later. */
function withJob(jobs: readonly Job[], job: Job): readonly Job[] {
  const at = jobs.findIndex((it) => it.id === job.id);
  const known = jobs[at];
  if (!known) return [...jobs, job];
  const isOlder = isOver(known) ? !isOver(job) : !isOver(job) && job.done < known.done;
  return isOlder ? jobs : jobs.with(at, job);
}

/** How many jobs are under way: the number in the header. */
export function unfinished(jobs: readonly Job[]): number {
  return jobs.filter((job) => !isOver(job)).length;
}

function told(state: ShellState, level: Toast['level'], text: string): ShellState {
  const id = state.nToasts + 1;
  const others = state.toasts.filter((it) => it.text !== text).slice(1 - TOASTS_KEPT);
  return { ...state, nToasts: id, toasts: [...others, { id, level, text }] };
}

export function said(state: ShellState, text: string): ShellState {
  // A live region is silent if its text stays the same; an invisible blank makes it another one.
  return { ...state, spoken: text === state.spoken ? `${text}\u00a0` : text };
}
