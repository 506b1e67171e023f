// The real program, started for the tests of one worker, and the table in front of it.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  test as base,
  expect,
  type APIRequestContext,
  type BrowserContext,
  type Locator,
  type Page,
} from '@playwright/test';
import axe from 'axe-core';
import type { NewGame, SessionView, Settings, SettingsChange } from '../src/api/wire';

const PROGRAM =
  process.env['KIBITZ_PROGRAM'] ??
  resolve('..', 'target', 'debug', process.platform === 'win32' ? 'kibitz.exe' : 'kibitz');
/** A folder to take the page from: then the program need not be linked anew for each change. */
const DIST = process.env['KIBITZ_DIST'];
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/#code=\S+/;

/** A running program with a home of its own. */
export class Kibitz {
  private constructor(
    readonly origin: string,
    readonly token: string,
    readonly home: string,
    private readonly child: ChildProcess,
  ) {}

  /** With a home of its own, which may begin with a copy of a database. */
  static async start(database?: string): Promise<Kibitz> {
    if (!existsSync(PROGRAM)) {
      throw new Error(`${PROGRAM} is missing: run \`cargo build --package cli\` first`);
    }
    const home = await mkdtemp(join(tmpdir(), 'kibitz-e2e-'));
    if (database !== undefined) await copyFile(database, join(home, 'kibitz.db'));
    const child = spawn(PROGRAM, ['serve', '--home', home, '--no-open', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const address = await new Promise<string>((done, fail) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        const found = ADDRESS.exec(output);
        if (found) done(found[0]);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('error', fail);
      child.on('exit', (code) => fail(new Error(`kibitz ended with ${code}:\n${output}`)));
    });
    // The printed address works once; the tests come as often as they like, with the token.
    const note = JSON.parse(await readFile(join(home, 'server.json'), 'utf8')) as { token: string };
    return new Kibitz(new URL(address).origin, note.token, home, child);
  }

  /** The id of its process. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** What to open; unlike the printed address, as often as one likes. */
  get address(): string {
    return `${this.origin}/#token=${encodeURIComponent(this.token)}`;
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.child.once('exit', done));
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await ended;
    }
    await rm(this.home, { recursive: true, force: true });
  }

  /** What our own converter makes of some moves, as bytes of a file. */
  async convert(format: string, content: string): Promise<Buffer> {
    const from = join(this.home, 'from.txt');
    const to = join(this.home, `to.${format}`);
    await writeFile(from, content);
    await promisify(execFile)(PROGRAM, ['convert', from, to]);
    return readFile(to);
  }

  /** Tunes parameters to the end, in a terminal beside the server. */
  async tune(settings: string): Promise<void> {
    const file = join(this.home, 'tuning.toml');
    await writeFile(file, settings);
    await promisify(execFile)(PROGRAM, ['tune', 'run', file, '--home', this.home]);
  }
}

/** The page of a folder in front of the program; its headers stay the program's. */
async function usePage(context: BrowserContext, folder: string): Promise<void> {
  await context.route(
    (url) => url.pathname === '/' || url.pathname.startsWith('/assets/'),
    async (route) => {
      const { pathname } = new URL(route.request().url());
      const path = join(folder, pathname === '/' ? 'index.html' : pathname);
      if (pathname !== '/') return route.fulfill({ path });
      await route.fulfill({ response: await route.fetch(), body: await readFile(path) });
    },
  );
}

/** What a person sees and does. */
export class Table {
  constructor(
    readonly page: Page,
    readonly kibitz: Kibitz,
  ) {}

  async open(): Promise<void> {
    await this.page.goto(this.kibitz.address);
    await this.ready();
  }

  /** Goes to a game; where it is looked at depends on what it is for. */
  async show(view: SessionView): Promise<void> {
    const place = view.mode === 'play' ? 'play' : 'review';
    await this.page.goto(`${this.kibitz.origin}/#/${place}/${view.id}`);
    await expect(this.page.locator(`[data-session="${view.id}"]`)).toBeAttached();
    await this.ready();
  }

  /** The board is drawn and the stream of events runs. */
  async ready(): Promise<void> {
    await expect(this.page.locator('[data-state]')).toBeVisible();
    await expect(this.page.locator('[data-connection="open"]')).toBeAttached();
  }

  get board(): Locator {
    return this.page.getByRole('grid');
  }

  get playable(): Locator {
    return this.page.locator('.cell.playable');
  }

  get moves(): Locator {
    return this.page.locator('[data-node]');
  }

  get live(): Locator {
    return this.page.locator('[data-live]');
  }

  cell(name: string): Locator {
    return this.page.locator(`[data-name="${name}"]`);
  }

  state(): Locator {
    return this.page.locator('[data-state]');
  }

  /** The way to a place, in the header or at the thumb. */
  place(name: 'Play' | 'Review' | 'Games'): Locator {
    return this.page
      .getByRole('navigation', { name: 'Places' })
      .getByRole('link', { name })
      .filter({ visible: true });
  }

  /** A panel of Review; on a phone the coach's begins with what is asked or tried. */
  panel(name: 'Coach' | 'Engines' | 'Explorer' | 'Notes'): Locator {
    const panels = {
      Coach: ['coach', 'why'],
      Engines: ['engines'],
      Explorer: ['explorer'],
      Notes: ['notes'],
    }[name];
    const tabs = panels.map((it) => `[role="tab"][data-panel="${it}"]`);
    return this.page.locator(tabs.join(', '));
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Waits until it is our turn, or the game is over; says which. */
  async turn(): Promise<'human' | 'nobody'> {
    await expect(this.state()).toHaveAttribute('data-state', /^(human|nobody)$/);
    return (await this.state().getAttribute('data-state')) as 'human' | 'nobody';
  }

  /** All discs as a board string, read from the names of the cells. */
  async discs(): Promise<string> {
    const names = await this.page
      .locator('[data-square]')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label') ?? ''));
    return names
      .map((name) => (name.includes('black disc') ? 'X' : name.includes('white disc') ? 'O' : '-'))
      .join('');
  }

  /** Plays the first legal move by mouse and waits for the reply. */
  async playFirst(): Promise<void> {
    const before = await this.moves.count();
    await this.playable.first().click();
    await expect.poll(() => this.moves.count()).toBeGreaterThan(before);
    await this.turn();
  }
}

/** What axe finds serious or critical on the screen as it is; all of it, or only by some rules. */
export async function serious(page: Page, rules: string[] = []): Promise<string[]> {
  // Halfway from one theme to the next, colours are of neither.
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((it) => it instanceof CSSTransition);
    await Promise.allSettled(transitions.map((it) => it.finished));
  });
  // One injection serves all looks at a page; a builder that injects and collects anew for each took
  // more than twice as long.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    // Among axe's experiments, but our own rule: names contain what is seen.
    rules: { 'label-content-name-mismatch': { enabled: true } },
    ...(rules.length > 0 && { runOnly: { type: 'rule', values: rules } }),
  };
  const violations = await page.evaluate(async (it) => (await axe.run(it)).violations, options);
  return violations
    .filter((it) => it.impact === 'serious' || it.impact === 'critical')
    .map((it) => `${it.id}: ${it.nodes.map((node) => node.html).join(' ')}`);
}

/** Requests beside the page, for what a test only needs as a beginning. */
export class Api {
  constructor(
    private readonly request: APIRequestContext,
    private readonly kibitz: Kibitz,
  ) {}

  async newGame(wish: NewGame): Promise<SessionView> {
    return this.#send<SessionView>('POST', '/api/sessions', wish);
  }

  async current(): Promise<SessionView> {
    return this.#send<SessionView>('GET', '/api/sessions/current');
  }

  async settings(change: SettingsChange): Promise<Settings> {
    return this.#send<Settings>('PUT', '/api/settings', change);
  }

  async #send<T>(method: string, path: string, data?: unknown): Promise<T> {
    const response = await this.request.fetch(this.kibitz.origin + path, {
      method,
      headers: { Authorization: `Bearer ${this.kibitz.token}` },
      ...(data === undefined ? {} : { data }),
    });
    expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true);
    return (await response.json()) as T;
  }
}

interface Fixtures {
  api: Api;
  table: Table;
  kibitz: Kibitz;
  /** Whether a refused request, which browsers report as an error, belongs to the test. */
  refusals: boolean;
  /** Whether the test has a program of its own: one that counts games or engines must not meet those
   * of other tests. */
  alone: boolean;
}

export const test = base.extend<Fixtures, { shared: Kibitz }>({
  refusals: [false, { option: true }],
  alone: [false, { option: true }],

  shared: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures here
    async ({}, use) => {
      const kibitz = await Kibitz.start();
      await use(kibitz);
      await kibitz.stop();
    },
    { scope: 'worker' },
  ],

  kibitz: async ({ alone, shared }, use) => {
    const kibitz = alone ? await Kibitz.start() : shared;
    await use(kibitz);
    if (alone) await kibitz.stop();
  },

  context: async ({ context }, use) => {
    if (DIST !== undefined) await usePage(context, DIST);
    await use(context);
  },

  api: async ({ request, kibitz }, use) => {
    await use(new Api(request, kibitz));
  },

  /** A fresh game at the weakest level, on a page that must not complain. */
  table: async ({ page, kibitz, api, refusals }, use) => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      if (refusals && message.text().startsWith('Failed to load resource')) return;
      complaints.push(message.text());
    });
    await api.settings({
      ui: { theme: 'dark', reducedMotion: false, tryFirst: true, keys: {} },
      play: {
        level: 'elo_400',
        people: 'black',
        showValues: false,
        blunderAlert: false,
        askBefore: false,
        timeControl: { initialMs: 0, incrementMs: 0 },
      },
      welcomed: true,
    });
    const game = await api.newGame({ mode: 'play', level: 'elo_400', people: 'black' });
    const table = new Table(page, kibitz);
    await table.open();
    await expect(page.locator(`[data-session="${game.id}"]`)).toBeAttached();
    await use(table);
    expect(complaints).toEqual([]);
  },
});

export { expect };
