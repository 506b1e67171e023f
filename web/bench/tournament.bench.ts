// Measures, and asserts nothing: whether the page stutters while a tournament with eight boards is
// played, 200 plies a second. docs/BENCHMARKS.md tells how to run it, and what was measured.

import { resolve } from 'node:path';
import { expect, test } from '../e2e/kibitz';
import { beginAnew, smoothness, watchSmoothness } from './smoothness';

const MINUTES = Number(process.env['MINUTES'] ?? '1');
/** How many times slower than it is the processor appears to the page. */
const SLOWER = Number(process.env['SLOWER'] ?? '1');
/** An engine that takes its argument's milliseconds for a move, and nothing of the processor. */
const ENGINE = process.env['ENGINE'] ?? '../target/release/examples/null_mover';
const BOARDS = 8;
const MOVE_MS = 40;

test('a tournament with eight boards', async ({ table }) => {
  const { page, kibitz } = table;
  const headers = { Authorization: `Bearer ${kibitz.token}` };
  for (const name of ['calm', 'quiet']) {
    const data = { name, path: resolve(ENGINE), args: [String(MOVE_MS)], protocol: 'uci' };
    const made = await page.request.post(`${kibitz.origin}/api/engines`, { data, headers });
    expect(made.ok(), await made.text()).toBe(true);
  }
  await watchSmoothness(page);
  await page.goto(`${kibitz.origin}/#/lab/tournaments/new`);
  await page.reload();
  await page.getByRole('radio', { name: 'Chess' }).check({ force: true });
  for (const [at, name] of ['calm', 'quiet'].entries()) {
    const engine = page.getByRole('combobox', { name: `Engine ${at + 1}`, exact: true });
    if ((await engine.count()) === 0) {
      await page.getByRole('button', { name: 'Add an engine' }).click();
    }
    await engine.selectOption(`engine:${name}`);
  }
  await page.getByLabel('Clock, seconds + increment').fill('100+1');
  await page.getByRole('spinbutton', { name: 'Rounds' }).fill('5000');
  await page.getByRole('spinbutton', { name: 'Games at the same time' }).fill(String(BOARDS));
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByRole('heading', { name: 'Standings' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Enlarge game/ })).toHaveCount(BOARDS);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.waitForTimeout(3_000);
  await beginAnew(page);
  await page.waitForTimeout(MINUTES * 60_000);
  const lines = await smoothness(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.getByRole('button', { name: 'Stop now' }).click();
  const plies = Math.round((BOARDS * 1000) / MOVE_MS);
  process.stdout.write(
    [
      `${MINUTES} minutes, ${BOARDS} boards, at most ${plies} plies a second`,
      `processor ${SLOWER} times slower`,
      ...lines,
      '',
    ].join('\n'),
  );
});
