// Measures, and asserts nothing: how long a person waits beyond the engine's thinking, whether the
// page ever stutters, how soon there is a board, and what the program takes of the memory.
// docs/BENCHMARKS.md tells how to run it, and what was measured.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { type Api, expect, Kibitz, Table, test } from '../e2e/kibitz';

const MINUTES = Number(process.env['MINUTES'] ?? '2');
const STARTS = Number(process.env['STARTS'] ?? '5');
const GAMES = Number(process.env['GAMES'] ?? '2');
/** Search threads; 0 is the program's own choice. */
const THREADS = Number(process.env['THREADS'] ?? '0');

declare global {
  interface Window {
    measured: {
      /** How long they took, and when they began. */
      longTasks: { took: number; at: number }[];
      /** From one frame to the next: 16.7 ms on a screen of 60 Hz that misses none. */
      intervals: number[];
      /** From the beginning of a frame to the end of its scripts, style, layout and paint. */
      work: number[];
      clicked: number;
      thinking: number;
      replied: number;
      /** From a click to the drawn reply. */
      waits: number[];
      /** The same without what the engine thought. */
      beyond: number[];
    };
  }
}

/** Watches frames, long tasks and the way from a click to the drawn reply, inside the page. */
function watch() {
  const measured: Window['measured'] = {
    longTasks: [],
    intervals: [],
    work: [],
    clicked: 0,
    thinking: 0,
    replied: 0,
    waits: [],
    beyond: [],
  };
  window.measured = measured;
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) {
      measured.longTasks.push({ took: duration, at: startTime });
    }
  }).observe({ type: 'longtask', buffered: true });
  // A message that is sent before a frame is painted arrives when it is.
  const painted = new MessageChannel();
  let begun = 0;
  painted.port1.addEventListener('message', () => measured.work.push(performance.now() - begun));
  painted.port1.start();
  let last = 0;
  const frame = (now: number) => {
    if (last > 0) measured.intervals.push(now - last);
    last = now;
    begun = now;
    painted.port2.postMessage(null);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  document.addEventListener(
    'click',
    (event) => {
      if (event.target instanceof Element && event.target.closest('.cell.playable')) {
        measured.clicked = performance.now();
        measured.thinking = 0;
        measured.replied = 0;
      }
    },
    true,
  );
  const Original = window.EventSource;
  window.EventSource = class extends Original {
    constructor(url: string | URL) {
      super(url);
      this.addEventListener('message', (message: MessageEvent<string>) => {
        const event = JSON.parse(message.data) as {
          type: string;
          data?: { state?: string; thinking?: boolean; view?: { thinking?: boolean } };
        };
        const now = performance.now();
        if (event.type === 'thinking' && event.data?.state === 'running' && !measured.thinking) {
          measured.thinking = now;
        }
        // A change of the game comes whole, or as a patch.
        const view = event.type === 'patch' ? event.data?.view : event.data;
        const isView = event.type === 'session' || event.type === 'patch';
        const done = isView && view?.thinking === false;
        if (!done || !measured.clicked || !measured.thinking || measured.replied) return;
        measured.replied = now;
        const { clicked, thinking } = measured;
        // The reply is drawn when the frame after it has been presented.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            const waited = performance.now() - clicked;
            measured.waits.push(waited);
            measured.beyond.push(waited - (now - thinking));
            measured.clicked = 0;
          }),
        );
      });
    }
  };
}

function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? 'none' : `${value.toFixed(1)} ms`;
}

function spread(values: readonly number[]): string {
  return (
    `p50 ${percentile(values, 0.5)}, p95 ${percentile(values, 0.95)}, ` +
    `worst ${percentile(values, 1)} of ${values.length}`
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Memory of a process in megabytes, now (`VmRSS`) or at most so far (`VmHWM`); Linux only. */
async function memory(kibitz: Kibitz, what: 'VmRSS' | 'VmHWM'): Promise<string> {
  try {
    const status = await readFile(`/proc/${kibitz.pid}/status`, 'utf8');
    const kilobytes = Number(new RegExp(`${what}:\\s*(\\d+)`).exec(status)?.[1]);
    return `${Math.round(kilobytes / 1024)} MB`;
  } catch {
    return 'unknown';
  }
}

test('cold start to a playable board', async ({ browser }) => {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    // A new home, a new port, and a browser that has never seen the page.
    const context = await browser.newContext();
    const page = await context.newPage();
    const begun = performance.now();
    const kibitz = await Kibitz.start();
    await page.goto(kibitz.address);
    await new Table(page, kibitz).playable.first().waitFor();
    times.push(performance.now() - begun);
    await context.close();
    await kibitz.stop();
  }
  print(`cold start to a playable board: ${spread(times)} starts`);
});

test('memory of the idle server', async ({ page }) => {
  const kibitz = await Kibitz.start();
  const table = new Table(page, kibitz);
  await table.open();
  await page.waitForTimeout(2000);
  print(`memory, a board on the screen: ${await memory(kibitz, 'VmRSS')}`);
  while ((await table.turn()) === 'human') await table.playFirst();
  await page.waitForTimeout(2000);
  print(`memory, a game played, blunders looked for: ${await memory(kibitz, 'VmRSS')}`);
  await kibitz.stop();
});

test('click to drawn reply', async ({ page, kibitz, api }) => {
  await page.addInitScript(watch);
  const table = new Table(page, kibitz);
  await table.open();
  const waits: number[] = [];
  const beyond: number[] = [];
  for (let game = 0; game < GAMES; game += 1) {
    await api.newGame({ mode: 'play', level: 'elo_400', people: 'black' });
    await expect(table.moves).toHaveCount(0);
    while ((await table.turn()) === 'human') await table.playFirst();
    const measured = await page.evaluate(() => {
      const all = window.measured;
      return { waits: all.waits.splice(0), beyond: all.beyond.splice(0) };
    });
    waits.push(...measured.waits);
    beyond.push(...measured.beyond);
  }
  print(`click to drawn reply, elo_400, in all: ${spread(waits)} moves`);
  print(`click to drawn reply, elo_400, beyond thinking: ${spread(beyond)} moves`);
});

/** Games on the analysis board and against a level with values, in turn. */
async function nextGame(api: Api, table: Table, number: number): Promise<void> {
  if (number % 2 === 0) {
    await api.newGame({ mode: 'analyse', people: 'both' });
    await expect(table.moves).toHaveCount(0);
    await table.page.locator('[data-depth]').waitFor();
  } else {
    await api.newGame({ mode: 'play', people: 'black', level: 'elo_400' });
    await expect(table.moves).toHaveCount(0);
    await table.page.keyboard.press('v');
  }
}

/** What was measured since the last time. */
async function taken(page: Page) {
  return page.evaluate(() => ({
    longTasks: window.measured.longTasks.splice(0),
    intervals: window.measured.intervals.splice(0),
    work: window.measured.work.splice(0),
  }));
}

async function report(page: Page, kibitz: Kibitz, what: string): Promise<void> {
  const { longTasks, intervals, work } = await taken(page);
  print(`${what}:`);
  print(`  work in a frame: ${spread(work)} frames`);
  print(`  from frame to frame: ${spread(intervals)} frames`);
  const tasks = longTasks.map(({ took, at }) => ` ${took} ms after ${(at / 1000).toFixed(1)} s`);
  print(`  tasks > 50 ms: ${longTasks.length}${tasks.slice(0, 10).join(',')}`);
  print(`  memory: ${await memory(kibitz, 'VmRSS')}, at most ${await memory(kibitz, 'VmHWM')}`);
}

test('analysis, overlays and play', async ({ page, api, kibitz }) => {
  await page.addInitScript(watch);
  const table = new Table(page, kibitz);
  await table.open();
  const { longTasks } = await taken(page);
  print(`opening the page: tasks > 50 ms: ${longTasks.map(({ took }) => took).join(', ')}`);
  await api.settings({ engine: { threads: THREADS } });
  let games = 0;
  let moves = 0;
  const end = performance.now() + MINUTES * 60_000;
  await nextGame(api, table, games);
  for (let round = 0; performance.now() < end; round += 1) {
    await page.keyboard.press(String(1 + (round % 5)));
    if ((await table.turn()) === 'nobody') {
      games += 1;
      await nextGame(api, table, games);
      continue;
    }
    const choices = await table.playable.count();
    if (choices === 0) continue;
    await table.playable.nth(round % choices).click();
    moves += 1;
    await page.waitForTimeout(700);
    if (round % 4 === 1) await page.keyboard.press('w');
    if (round % 4 === 2) {
      for (let step = 0; step < 6; step += 1) await page.keyboard.press('[');
      await page.keyboard.press('End');
    }
    if (round % 7 === 3) {
      await page.keyboard.press('?');
      await page.keyboard.press('Escape');
    }
    await page.waitForTimeout(300);
  }
  await report(page, kibitz, `${MINUTES} min of analysis, overlays and play, ${moves} moves`);
});
