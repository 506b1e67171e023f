// Measures, and asserts nothing: a large collection in the page. `COLLECTION` names a database;
// docs/BENCHMARKS.md tells how to make one, and what was measured.

import type { Browser, Page } from '@playwright/test';
import { Kibitz, Table, test } from '../e2e/kibitz';

const COLLECTION = process.env['COLLECTION'];

const quantile = (sorted: readonly number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;

function print(what: string, values: readonly number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  const text = [0.5, 0.95, 1].map((q) => quantile(sorted, q).toFixed(1)).join(' / ');
  process.stdout.write(`${what}: ${sorted.length}, median / p95 / most ${text} ms\n`);
}

declare global {
  interface Window {
    tasks: { took: number; names: string[] }[];
  }
}

/** Notes every task that takes longer than 50 ms. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => {
      for (const { duration, name } of list.getEntries()) {
        window.tasks.push({ took: duration, names: [name] });
      }
    }).observe({ type: 'longtask' });
  });
}

async function tasks(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(() => window.tasks.splice(0).map((it) => it.took));
  print(`${what}, tasks over 50 ms`, found);
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/** The tasks of the page's thread by processor time: waiting for a busy machine does not count. */
async function traced(
  browser: Browser,
  page: Page,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await work();
  const text = (await browser.stopTracing()).toString();
  const { traceEvents } = JSON.parse(text) as { traceEvents: TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter((it) => it.name === 'thread_name' && it.args?.name === 'CrRendererMain')
      .map((it) => `${it.pid}/${it.tid}`),
  );
  const took = traceEvents
    .filter((it) => it.name.endsWith('RunTask') && threads.has(`${it.pid}/${it.tid}`))
    .map((it) => (it.tdur ?? 0) / 1000)
    .filter((it) => it >= 1);
  print(`${what}, tasks of 1 ms and more, processor time`, took);
}

test('a large collection', async ({ browser }) => {
  test.skip(COLLECTION === undefined, 'COLLECTION names no database');
  const kibitz = await Kibitz.start(COLLECTION);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const answers = new Map<string, number[]>();
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/library/')) return;
    const { responseEnd, requestStart } = request.timing();
    answers.set(pathname, [...(answers.get(pathname) ?? []), responseEnd - requestStart]);
  });
  const flush = (what: string) => {
    for (const [path, times] of answers) print(`${what}, ${path}`, times);
    answers.clear();
  };
  try {
    const table = new Table(page, kibitz);
    await table.open();
    await watch(page);
    await table.place('Games').click();
    const list = page.getByRole('grid', { name: 'Games found' });
    await list.getByRole('row').nth(5).waitFor();
    process.stdout.write(`rows: ${await list.getAttribute('aria-rowcount')}\n`);
    await tasks(page, 'opening');
    flush('opening');
    // The wheel, the bar, the keys.
    await list.hover();
    await traced(browser, page, 'wheel', async () => {
      for (let i = 0; i < 300; i += 1) {
        await page.mouse.wheel(0, 120);
        await page.waitForTimeout(16);
      }
    });
    await tasks(page, 'wheel');
    flush('wheel');
    await traced(browser, page, 'bar from top to end', async () => {
      await page.evaluate(async () => {
        const grid = document.querySelector('[role="grid"][aria-label="Games found"]')!;
        const end = grid.scrollHeight - grid.clientHeight;
        for (let i = 0; i <= 200; i += 1) {
          grid.scrollTop = (end * i) / 200;
          await new Promise((done) => setTimeout(done, 30));
        }
      });
      await page.waitForTimeout(500);
    });
    await tasks(page, 'bar from top to end');
    flush('bar from top to end');
    await traced(browser, page, 'keys', async () => {
      await list.focus();
      for (const key of ['Home', ...Array<string>(100).fill('PageDown'), 'End']) {
        await page.keyboard.press(key);
      }
      await page.waitForTimeout(500);
    });
    await tasks(page, 'keys');
    flush('keys');
    // Filters.
    for (const words of [
      'tamenori',
      'year:1990-1999',
      'result:draw',
      'opening:tiger',
      'moves:60',
    ]) {
      await page.keyboard.press('/');
      await page.keyboard.type(words);
      const found = page.waitForResponse((it) => it.url().includes('/api/library/games'));
      await page.keyboard.press('Enter');
      await found;
      await page.waitForTimeout(200);
      await page.getByRole('button', { name: /take off$/ }).click();
      await page.waitForTimeout(400);
    }
    await tasks(page, 'filters');
    flush('filters');
    // The board as a filter, followed move by move.
    await traced(browser, page, 'board as a filter', async () => {
      await page.getByRole('switch', { name: 'Find games by position' }).check();
      const next = page.getByRole('region', { name: 'Position filter' }).getByRole('table');
      await next.waitFor();
      for (let ply = 0; ply < 20; ply += 1) {
        const explored = page.waitForResponse((it) => it.url().includes('/api/library/explore'));
        await next.getByRole('button').first().click();
        await explored;
        await page.waitForTimeout(150);
      }
    });
    await tasks(page, 'board as a filter');
    flush('board as a filter');
  } finally {
    await context.close();
    await kibitz.stop();
  }
});
