import { Api, expect, Kibitz, serious, Table, test as base } from './kibitz';

/** A program that nobody has used yet. */
const test = base.extend<{ fresh: Table }>({
  fresh: async ({ page }, use) => {
    const kibitz = await Kibitz.start();
    const table = new Table(page, kibitz);
    await table.open();
    await use(table);
    await kibitz.stop();
  },
});

test('the first launch has a playable board, three choices and one promise', async ({
  fresh,
  page,
}) => {
  await expect(page.getByText('Everything stays on this computer.')).toBeVisible();
  await expect(fresh.playable).toHaveCount(4);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: /^Casual/ }).click();
  await expect(page.getByText('Who is playing?')).toHaveCount(0);
  // The game of the choice takes the place of the empty one, and the address follows it.
  await page.waitForURL((url) => url.hash.startsWith('#/play/') && !url.hash.endsWith('/s1'));
  await page.reload();
  await fresh.ready();
  await expect(page.getByText('Who is playing?')).toHaveCount(0);
  await fresh.playFirst();
});

test('axe finds nothing serious on the first screen, in any theme and size', async ({
  fresh,
  page,
  request,
}) => {
  const api = new Api(request, fresh.kibitz);
  for (const theme of ['dark', 'light', 'highContrast'] as const) {
    await api.settings({ ui: { theme } });
    const drawn = theme === 'highContrast' ? 'contrast' : theme;
    await expect(page.locator(`html[data-theme="${drawn}"]`)).toBeAttached();
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      await expect(page.getByText('Everything stays on this computer.')).toBeVisible();
      expect(await serious(page), `${theme} at ${size.width} px`).toEqual([]);
    }
  }
});

test('a new game begins with an opponent for newcomers, as the board does', async ({
  fresh,
  page,
}) => {
  await expect(fresh.playable).toHaveCount(4);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New game' });
  await expect(dialog.getByRole('radio', { name: 'Opponents' })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: /^First day/ })).toBeChecked();
  await page.keyboard.press('Escape');
  // The same after a move, which nobody has to choose an opponent for.
  await fresh.playFirst();
  await page.keyboard.press('n');
  await expect(dialog.getByRole('radio', { name: /^First day/ })).toBeChecked();
});

test('at 200 % the welcome is whole', async ({ fresh, page }) => {
  await expect(fresh.playable).toHaveCount(4);
  for (const size of [
    { width: 640, height: 400 },
    { width: 320, height: 640 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    const card = page.getByRole('region', { name: 'Welcome. Who is playing?' });
    const around = (await card.boundingBox())!;
    expect(around.x + around.width).toBeLessThanOrEqual(size.width);
    const inside = card.locator('h2, p, button, strong, small');
    await expect(inside.first()).toBeVisible();
    for (const part of await inside.all()) {
      const box = (await part.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(around.x);
      expect(box.x + box.width).toBeLessThanOrEqual(around.x + around.width);
    }
  }
});

test('one can just play', async ({ fresh, page }) => {
  await fresh.playable.first().click();
  await expect.poll(() => fresh.moves.count()).toBe(2);
  await expect(page.getByText('Who is playing?')).toHaveCount(0);
});

test('without the key of the address there is nothing to see', async ({ fresh, browser }) => {
  const stranger = await browser.newPage();
  await stranger.goto(fresh.kibitz.origin);
  await expect(stranger.getByRole('alert')).toContainText('kibitz');
  await stranger.close();
});

test('the page says so when the program ends', async ({ fresh, page }) => {
  await fresh.kibitz.stop();
  await expect(page.getByRole('alert')).toBeVisible();
});
