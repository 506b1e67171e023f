import { expect, serious, test } from './kibitz';

const MOVES = 'f5d6c3d3c4f4f6g5e3f3g6e2';
/** A corner is given away early. */
const MISTAKES = 'd3c3b3b2b1a1c4c1';

test('every place has an address, and the way back leads there', async ({ table, api, page }) => {
  const game = await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' });
  await table.show(game);
  await expect(page).toHaveURL(new RegExp(`#/review/${game.id}/12$`));
  await table.panel('Notes').click();
  await expect(page).toHaveURL(new RegExp(`#/review/${game.id}/12\\?panel=notes$`));
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/\/11\?panel=notes$/);
  await page.reload();
  await table.ready();
  await expect(table.panel('Notes')).toHaveAttribute('aria-selected', 'true');
  await expect(table.moves.nth(10)).toHaveAttribute('aria-current', 'true');
  await table.place('Games').click();
  await expect(page.getByRole('navigation', { name: 'Games' })).toBeVisible();
  await page.goBack();
  await expect(table.moves).toHaveCount(12);
  // By keys, too.
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await expect(page.getByRole('navigation', { name: 'Games' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page).toHaveURL(new RegExp(`#/play/${game.id}$`));
});

test('an address that leads nowhere says so and offers the start', async ({ table, page }) => {
  await page.goto(`${table.kibitz.origin}/#/nowhere`);
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
  await page.getByRole('link', { name: 'To the start' }).click();
  await table.ready();
});

test.describe('a game that is not there', () => {
  test.use({ refusals: true });

  test('is told at its place', async ({ table, page }) => {
    await page.goto(`${table.kibitz.origin}/#/play/s999999`);
    await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
    await page.getByRole('link', { name: 'All games' }).click();
    await expect(page.getByRole('navigation', { name: 'Games' })).toBeVisible();
  });
});

test('an old game is opened from the list', async ({ table, api, page }) => {
  const old = await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' });
  const newer = await api.newGame({ mode: 'analyse', moves: 'f5f6e6f4e3', people: 'both' });
  await table.place('Games').click();
  await page.getByRole('link', { name: 'Recent' }).click();
  const games = page.getByRole('list', { name: 'Games' });
  await games.locator(`a[href*="/${old.id}"]`).first().click();
  await expect(table.moves).toHaveCount(12);
  await page.goBack();
  await games.locator(`a[href*="/${newer.id}"]`).first().click();
  await expect(table.moves).toHaveCount(5);
});

test('a game is reviewed, and its mistakes are tried before the answer is shown', async ({
  table,
  api,
  page,
}) => {
  test.slow();
  await table.show(await api.newGame({ mode: 'analyse', moves: MISTAKES, people: 'both' }));
  await table.panel('Coach').click();
  const start = page.getByRole('button', { name: 'Review 8 moves' });
  await start.click();
  await expect(start).toHaveCount(0);
  const list = page.getByRole('list', { name: 'Mistakes' });
  // Eight moves are searched, beside whatever else the machine does.
  await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 240_000 });
  const mistakes = list.getByRole('button');
  await expect(mistakes.first()).toBeVisible();
  await expect(page.locator('.graph .mistake').first()).toBeVisible();
  // The key counts from where the page knows to be, and walking there takes a request.
  for (const [edge, key] of [
    ['Home', 'n'],
    ['End', 'Shift+N'],
  ] as const) {
    await page.keyboard.press(edge);
    await expect(async () => {
      await page.keyboard.press(key);
      await expect(list.locator('[aria-current="true"]')).toHaveCount(1, { timeout: 2000 });
    }).toPass();
  }
  await mistakes.first().click();
  await expect(mistakes.first()).toHaveAttribute('aria-current', 'true');
  const task = page.getByRole('region', { name: 'Find a better move' });
  await expect(task).toBeVisible();
  // Nothing tells the answer: no value, no frame, no name for a screen reader, no engine.
  await expect(page.getByRole('meter', { name: 'Score' })).toHaveCount(0);
  await expect(page.locator('.label, .best-frame, .move-mark.better')).toHaveCount(0);
  await expect(page.locator('[data-square][aria-label*="better"]')).toHaveCount(0);
  await expect(page.locator('[data-square][aria-label*="best"]')).toHaveCount(0);
  await table.panel('Engines').click();
  await expect(page.getByRole('region', { name: 'Hidden' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Analysis' })).toHaveCount(0);
  await table.panel('Coach').click();
  // A try does not go into the game; it is told what it saves.
  const before = await table.moves.count();
  const played = (await page.locator('[data-square][aria-label*="played in the game"]').all())[0]!;
  await played.click();
  await expect(task.getByText(/is the move of the game/)).toBeVisible();
  await expect(table.moves).toHaveCount(before);
  await table.button('Where to look').click();
  await expect.poll(() => page.locator('[aria-label*="look here"]').count()).toBeGreaterThan(1);
  await page.keyboard.press('s');
  await expect(task).toHaveCount(0);
  await expect(page.locator('[data-square][aria-label*="better"]')).toHaveCount(1);
  await expect(page.getByRole('group', { name: 'Better' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Why not / })).toBeVisible();
  await expect(page.locator('[data-why] [data-certainty]')).toBeVisible();
  expect(await serious(page)).toEqual([]);
  // What was tried is kept with the game, and so is the place of the address.
  await page.keyboard.press('Home');
  await expect(page).toHaveURL(/\/0\?panel=coach$/);
  await page.reload();
  await table.ready();
  await expect(mistakes.first().getByText('answer seen')).toBeAttached();
  await expect(page).toHaveURL(/\/0\?panel=coach$/);
  await page.goto(page.url().replace('/0?', '/3?'));
  await expect(table.moves.nth(2)).toHaveAttribute('aria-current', 'true');
  // Without a place it opens at a mistake.
  await page.goto(page.url().replace('/3?', '?'));
  await expect(list.locator('[aria-current="true"]')).toHaveCount(1);
});
