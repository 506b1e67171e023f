// Measures, and asserts nothing: how long a person waits beyond the engine's thinking, whether the
// page ever stutters, and how soon there is a board. docs/BENCHMARKS.md tells how to run it.

import type { Page } from '@playwright/test';
import { expect, Kibitz, Table, test } from '../e2e/kibitz';

const MINUTES = Number(process.env['MINUTES'] ?? '2');
const STARTS = Number(process.env['STARTS'] ?? '5');
const GAMES = Number(process.env['GAMES'] ?? '2');

declare global {
  interface Window {
    measured: {
      longTasks: number[];
      frames: number[];
      clicked: number;
      thinking: number;
      replied: number;
      waits: number[];
    };
  }
}

/** Watches frames, long tasks and the way from a click to the drawn reply, inside the page. */
function watch() {
  const measured: Window['measured'] = {
    longTasks: [],
    frames: [],
    clicked: 0,
    thinking: 0,
    replied: 0,
    waits: [],
  };
  window.measured = measured;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.longTasks.push(entry.duration);
  }).observe({ type: 'longtask', buffered: true });
  let last = performance.now();
  const frame = (now: number) => {
    measured.frames.push(now - last);
    last = now;
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
          data?: { state?: string; awaiting?: string; thinking?: boolean };
        };
        const now = performance.now();
        if (event.type === 'thinking' && event.data?.state === 'running' && !measured.thinking) {
          measured.thinking = now;
        }
        const done = event.type === 'session' && event.data?.thinking === false;
        if (!done || !measured.clicked || !measured.thinking || measured.replied) return;
        measured.replied = now;
        const { clicked, thinking } = measured;
        // The reply is drawn when the frame after it has been presented.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            measured.waits.push(performance.now() - clicked - (now - thinking));
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function report(page: Page, what: string): Promise<void> {
  const { longTasks, frames } = await page.evaluate(() => window.measured);
  print(
    `${what}: ${frames.length} frames, p50 ${percentile(frames, 0.5)}, ` +
      `p95 ${percentile(frames, 0.95)}, worst ${percentile(frames, 1)}; ` +
      `long tasks > 50 ms: ${longTasks.length}` +
      (longTasks.length > 0 ? `, worst ${percentile(longTasks, 1)}` : ''),
  );
}

test('cold start to a playable board', async ({ browser }) => {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const page = await browser.newPage();
    const begun = performance.now();
    const kibitz = await Kibitz.start();
    const table = new Table(page, kibitz);
    await page.goto(kibitz.address);
    await table.playable.first().waitFor();
    times.push(performance.now() - begun);
    await page.close();
    await kibitz.stop();
  }
  print(`cold start: p50 ${percentile(times, 0.5)}, worst ${percentile(times, 1)} of ${STARTS}`);
});

test('click to drawn reply, beyond thinking', async ({ page, kibitz, api }) => {
  await page.addInitScript(watch);
  const table = new Table(page, kibitz);
  await table.open();
  const waits: number[] = [];
  for (let game = 0; game < GAMES; game += 1) {
    await api.newGame({ mode: 'play', level: 'elo_400', people: 'black' });
    await expect(table.moves).toHaveCount(0);
    while ((await table.turn()) === 'human') await table.playFirst();
    waits.push(...(await page.evaluate(() => window.measured.waits.splice(0))));
  }
  print(
    `click to drawn reply beyond thinking, elo_400: p50 ${percentile(waits, 0.5)}, ` +
      `p95 ${percentile(waits, 0.95)}, worst ${percentile(waits, 1)} of ${waits.length} moves`,
  );
});

test('a mixed session', async ({ page, kibitz, api }) => {
  await page.addInitScript(watch);
  const table = new Table(page, kibitz);
  await api.newGame({ mode: 'analyse', people: 'both' });
  await table.open();
  await page.locator('[data-depth]').waitFor();
  const end = performance.now() + MINUTES * 60_000;
  for (let round = 0; performance.now() < end; round += 1) {
    await page.keyboard.press(String(1 + (round % 5)));
    const moves = await table.playable.count();
    if (moves === 0) {
      await api.newGame({ mode: 'analyse', people: 'both' });
      await expect(table.moves).toHaveCount(0);
      continue;
    }
    await table.playable.nth(round % moves).click();
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
  await report(page, `${MINUTES} min of analysis, overlays and moves`);
});
