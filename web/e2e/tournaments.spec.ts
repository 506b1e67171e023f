// Tournaments in the page: made from a template, watched, stopped, resumed, their games opened.

import { expect, serious, test } from './kibitz';

// Both tests begin with an empty list.
test.use({ alone: true });

test('a league is made, watched, stopped and resumed, and a game opens in Review', async ({
  table,
}) => {
  const { page } = table;
  await page.goto(`${table.kibitz.origin}/#/lab/tournaments`);
  await expect(page.getByText('No tournaments yet.')).toBeVisible();
  await page.getByRole('link', { name: 'New tournament' }).first().click();
  await expect(page.getByRole('heading', { name: 'New tournament' })).toBeVisible();
  expect(await serious(page)).toEqual([]);
  await page.getByLabel('Name', { exact: true }).fill('Autumn league');
  for (const [at, level] of ['greedy', 'corner_lover'].entries()) {
    await page
      .getByRole('combobox', { name: `Engine ${at + 1}`, exact: true })
      .selectOption(`level:${level}`);
  }
  while ((await page.getByRole('button', { name: /^Remove / }).count()) > 2) {
    await page
      .getByRole('button', { name: /^Remove / })
      .last()
      .click();
  }
  await page.getByRole('spinbutton', { name: 'Rounds' }).fill('500000');
  await page.getByRole('button', { name: 'Begin' }).click();

  await expect(page.getByRole('heading', { name: 'Autumn league' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Standings' })).toBeVisible();
  await expect(page.getByText(/^[1-9]\d* of 1000000 games$/)).toBeVisible();
  const board = page.getByRole('button', { name: /^Enlarge game/ });
  await board.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('against');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('img', { name: /^Elo: / })).toBeVisible();
  expect(await serious(page)).toEqual([]);

  // Whoever watches asks twice a second, however many moves are played.
  let asked = 0;
  page.on('request', (it) => (asked += Number(it.url().includes('/api/tournaments'))));
  await page.waitForTimeout(3000);
  expect(asked).toBeLessThan(15);

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: 'Stop after these games' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();

  const better = page.getByRole('button', { name: 'Who is better?' });
  await better.click();
  const chance = page.getByRole('button', { name: /is better than .*, show the games$/ });
  await expect(chance.first()).toContainText('%');
  await better.click();
  await page
    .getByRole('button', { name: /show the games$/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /^Open pair/ })
    .first()
    .click();
  await expect(page.locator('[data-place="review"]')).toBeAttached();
  await expect.poll(() => table.moves.count()).toBeGreaterThan(9);
});

test('a tuning is shown with its curve, as soon as it is begun', async ({ table }) => {
  const { page } = table;
  await page.goto(`${table.kibitz.origin}/#/lab/tuning`);
  await expect(page.getByText('No tunings yet.')).toBeVisible();
  expect(await serious(page)).toEqual([]);
  await table.kibitz.tune(`
name = "windows"
game = "othello"
steps = 4
seed = 1

[engine]
name = "ours"
nodes = 200

[[parameter]]
name = "aspiration"
start = 50
min = 1
max = 400
step = 20
`);
  await expect(page.getByText('windows')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('finished')).toBeVisible();
  await expect(page.getByText('4 of 4 steps')).toBeVisible();
  await expect(page.getByRole('img', { name: /^aspiration: .* after 4 steps/ })).toBeVisible();
  expect(await serious(page)).toEqual([]);
  const tournaments = page.getByRole('link', { name: 'Tournaments' });
  await tournaments.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('No tunings yet.')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Tournaments' })).toBeVisible();
});
