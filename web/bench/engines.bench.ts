// Measures, and asserts nothing: whether the page stutters while three foreign engines with five
// lines each look at a game, and how soon a line is there after a step. docs/BENCHMARKS.md tells how
// to run it, and what was measured.

import { expect, test } from '../e2e/kibitz';
import { beginAnew, smoothness, spread, watchSmoothness } from './smoothness';

const MINUTES = Number(process.env['MINUTES'] ?? '2');
/** Paths of engines that speak UCI. */
const ENGINES = (
  process.env['ENGINES'] ??
  '/usr/games/stockfish,/usr/games/fairy-stockfish,/usr/games/ethereal-chess'
).split(',');
const LINES = 5;
const STEP_MS = 5_000;
const GAME =
  '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15. Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6 20. Nbd2 Nxd6 *';

interface Watched {
  stepped: number;
  node: number;
  /** From a key to the first line of the first engine at the new place, drawn. */
  first: number[];
  reports: number;
}

declare global {
  interface Window {
    watched: Watched;
  }
}

function watch() {
  const watched: Watched = {
    stepped: 0,
    node: -1,
    first: [],
    reports: 0,
  };
  window.watched = watched;
  addEventListener('keydown', () => (watched.stepped = performance.now()), true);
  const Original = window.EventSource;
  window.EventSource = class extends Original {
    constructor(url: string | URL) {
      super(url);
      this.addEventListener('message', (message: MessageEvent<string>) => {
        const event = JSON.parse(message.data) as {
          type: string;
          data?: { node?: number; report?: { lines: unknown[] } | null };
        };
        if (event.type !== 'analysis' || !event.data?.report?.lines.length) return;
        watched.reports += 1;
        const { node = -1 } = event.data;
        if (node === watched.node || watched.stepped === 0) return;
        watched.node = node;
        const { stepped } = watched;
        watched.stepped = 0;
        requestAnimationFrame(() => watched.first.push(performance.now() - stepped));
      });
    }
  };
}

test('three engines with five lines each', async ({ table, kibitz, page }) => {
  const headers = { Authorization: `Bearer ${kibitz.token}` };
  const ids: string[] = [];
  for (const path of ENGINES) {
    const name = path.split('/').at(-1) ?? path;
    const data = { name, path, protocol: 'uci' };
    const made = await page.request.post(`${kibitz.origin}/api/engines`, { data, headers });
    expect(made.ok(), await made.text()).toBe(true);
    const options = `${kibitz.origin}/api/engines/${name}/options`;
    const set = [
      ['Threads', '1'],
      ['Hash', '16'],
    ];
    await page.request.patch(options, { data: { set }, headers });
    ids.push(name);
  }
  await watchSmoothness(page);
  await page.addInitScript(watch);
  await page.reload();
  await table.ready();
  await page.keyboard.press('p');
  await page.getByRole('dialog').getByRole('textbox').fill(GAME);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(table.moves.first()).toBeVisible();
  const session = /review\/([^/]+)/.exec(page.url())?.[1] ?? 'current';
  for (const engine of ids) {
    const path = `${kibitz.origin}/api/sessions/${session}/analysis`;
    const begun = await page.request.post(path, { data: { engine, lines: LINES }, headers });
    expect(begun.ok(), await begun.text()).toBe(true);
  }
  await page.keyboard.press('Home');
  await page.waitForTimeout(3_000);
  await beginAnew(page);
  await page.evaluate(() => void Object.assign(window.watched, { first: [], reports: 0 }));
  const end = Date.now() + MINUTES * 60_000;
  let isForward = true;
  for (let step = 0; Date.now() < end; step += 1) {
    if (step % 38 === 37) isForward = !isForward;
    await page.keyboard.press(isForward ? 'ArrowRight' : 'ArrowLeft');
    await page.waitForTimeout(STEP_MS);
  }
  const watched = await page.evaluate(() => window.watched);
  process.stdout.write(
    [
      `${MINUTES} minutes, ${ids.join(', ')}, ${LINES} lines each, ${watched.reports} reports`,
      ...(await smoothness(page)),
      `key to first line drawn: ${spread(watched.first)}`,
      '',
    ].join('\n'),
  );
});
