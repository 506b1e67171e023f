import type { Page } from '@playwright/test';
import { expect, serious, test, type Table } from './kibitz';

const THEMES = ['dark', 'light', 'highContrast'] as const;
const SIZES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1440 },
] as const;
const MOVES = 'f5d6c3d3c4f4f6g5e3f3g6e2';

/** Every screen, by what one does to get there from a game in Analyse. */
const SCREENS: readonly { name: string; open: (page: Page, table: Table) => Promise<void> }[] = [
  {
    name: 'play',
    open: async (page) => {
      await page.getByRole('button', { name: 'Play', exact: true }).first().click();
      await expect(page.locator('.label')).toHaveCount(0);
    },
  },
  {
    name: 'analyse',
    open: async (page) => expect(page.locator('.label').first()).toBeVisible(),
  },
  {
    name: 'why',
    open: async (page, table) => {
      await page.keyboard.press('b');
      await table.playable.last().focus();
      await page.keyboard.press('w');
      await expect(page.locator('[data-why] .actions button').first()).toBeVisible();
    },
  },
  {
    name: 'line',
    open: async (page) => {
      await page.locator('.lines button').first().click();
      await expect(page.getByRole('button', { name: 'Return' })).toBeVisible();
    },
  },
  {
    name: 'overlay',
    open: async (page) => {
      await page.keyboard.press('2');
      await expect(page.locator('.tint').first()).toBeVisible();
    },
  },
  ...(
    [
      ['new game', 'n'],
      ['paste', 'p'],
      ['help', '?'],
    ] as const
  ).map(([name, key]) => ({
    name,
    open: async (page: Page) => {
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  })),
  ...['Settings', 'Copy'].map((name) => ({
    name: name.toLowerCase(),
    open: async (page: Page) => {
      await page.getByRole('button', { name, exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  })),
];

/** What a phone has in place of the rail and the long header. */
const PHONE_SCREENS: typeof SCREENS = [
  ...SCREENS.filter((it) => it.name !== 'copy'),
  ...['Overlays', 'More'].map((name) => ({
    name: name.toLowerCase(),
    open: async (page: Page) => {
      await page.getByRole('navigation').getByRole('button', { name }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  })),
];

for (const [what, size, screens] of [
  ['a desk', { width: 1280, height: 800 }, SCREENS],
  ['a phone', { width: 390, height: 844 }, PHONE_SCREENS],
] as const) {
  for (const theme of THEMES) {
    test(`axe finds nothing serious on ${what} in ${theme}`, async ({ table, api, page }) => {
      await page.setViewportSize(size);
      await api.settings({ ui: { theme } });
      await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' });
      const drawn = theme === 'highContrast' ? 'contrast' : theme;
      await expect(page.locator(`html[data-theme="${drawn}"]`)).toBeAttached();
      for (const screen of screens) {
        await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' });
        await page.reload();
        await table.ready();
        await screen.open(page, table);
        expect(await serious(page), `${screen.name} in ${theme}`).toEqual([]);
      }
    });
  }
}

test('buttons and the box for moves are one row on a small desk', async ({ table, api, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const mode of ['play', 'analyse'] as const) {
    await api.newGame({ mode, moves: MOVES, people: 'both' });
    await expect(table.moves).toHaveCount(12);
    const group = page.getByRole('group', { name: 'Moves', exact: true });
    const board = (await table.board.boundingBox())!;
    const row = (await group.boundingBox())!;
    const button = (await table.button('Undo').boundingBox())!;
    const box = (await page.locator('[data-move-box]').boundingBox())!;
    expect(Math.abs(box.y + box.height / 2 - button.y - button.height / 2)).toBeLessThan(2);
    expect(row.height).toBeLessThan(1.5 * button.height);
    expect(box.x + box.width).toBeLessThanOrEqual(board.x + board.width + 8);
    expect(box.width).toBeGreaterThan(60);
  }
});

test('the system’s colours are the first choice', async ({ table, api, page }) => {
  await api.settings({ ui: { theme: 'system' } });
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html[data-theme="light"]')).toBeAttached();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html[data-theme="dark"]')).toBeAttached();
  await page.emulateMedia({ contrast: 'more' });
  await expect(page.locator('html[data-theme="contrast"]')).toBeAttached();
  await expect(table.board).toBeVisible();
});

for (const size of SIZES) {
  test(`nothing sticks out at ${size.width} × ${size.height}`, async ({ table, api, page }) => {
    await page.setViewportSize(size);
    await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' });
    await expect(table.moves).toHaveCount(12);
    const wide = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
    for (const screen of SCREENS.filter((it) => it.name !== 'copy')) {
      await page.reload();
      await table.ready();
      await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' });
      await expect(table.moves).toHaveCount(12);
      await screen.open(page, table);
      expect(await wide(), screen.name).toBeLessThanOrEqual(0);
    }
    const box = await table.board.boundingBox();
    expect(box!.x).toBeGreaterThanOrEqual(0);
    expect(box!.x + box!.width).toBeLessThanOrEqual(size.width + 0.5);
    expect(box!.height).toBeLessThanOrEqual(size.height);
  });
}

test('settings are kept, keys can be changed', async ({ table, page }) => {
  await table.button('Settings').click();
  await page.getByRole('radio', { name: 'Light' }).check();
  await expect(page.locator('html[data-theme="light"]')).toBeAttached();
  await page.getByRole('button', { name: 'Key for Hint: H' }).click();
  await page.keyboard.press('z');
  await expect(page.getByText('Z is already')).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('button', { name: 'Key for Hint: J' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await table.ready();
  await expect(page.locator('html[data-theme="light"]')).toBeAttached();
  await page.keyboard.press('j');
  await expect(page.locator('.best-frame.dashed')).toHaveCount(1);
});

test('a skip link leads to the board', async ({ page, table }) => {
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the board' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(table.cell('d3')).toBeFocused();
});
