import type { Page } from '@playwright/test';
import { expect, serious, test, type Api, type Table } from './kibitz';

const THEMES = ['dark', 'light', 'contrast'] as const;
const PHONES = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
  { width: 320, height: 640 },
] as const;
const DESKS = [
  { width: 1280, height: 800 },
  { width: 820, height: 1180 },
  { width: 1024, height: 768 },
  { width: 2560, height: 1440 },
] as const;
const MOVES = 'f5d6c3d3c4f4f6g5e3f3g6e2';
/** Black has all discs after nine moves. */
const WIPED_OUT = 'e6f4e3f6g5d6e7f5c5';

interface Screen {
  name: string;
  open: (page: Page, table: Table) => Promise<void>;
}

const press = (name: string, key: string): Screen => ({
  name,
  open: async (page) => {
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
  },
});

const click = (name: string): Screen => ({
  name: name.toLowerCase(),
  open: async (page) => {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
});

/** *Play from here*: beside the board of a desk, behind *More* on a phone. */
const playHere: Screen = {
  name: 'play from here',
  open: async (page) => {
    const more = page.getByRole('navigation').getByRole('button', { name: 'More' });
    if ((await more.filter({ visible: true }).count()) > 0) await more.click();
    const button = page.getByRole('button', { name: 'Play from here' }).filter({ visible: true });
    await button.last().click();
    await expect(page.getByRole('dialog', { name: 'Play from here' })).toBeVisible();
  },
};

const setUp: Screen = {
  name: 'set up',
  open: async (page) => {
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Set up by hand' }).click();
    await expect(page.getByRole('button', { name: 'Set up by hand' })).toHaveCount(0);
    await expect(page.getByRole('dialog')).toBeVisible();
  },
};

/** Every screen, by what one does to get there from a game in Review. */
const SCREENS: readonly Screen[] = [
  { name: 'engines', open: (page) => expect(page.locator('.label').first()).toBeVisible() },
  { name: 'coach', open: (_, table) => table.panel('Coach').click() },
  { name: 'notes', open: (_, table) => table.panel('Notes').click() },
  {
    name: 'why',
    open: async (page, table) => {
      await page.keyboard.press('b');
      await table.playable.last().focus();
      await page.keyboard.press('w');
      await expect(page.locator('[data-why] [data-certainty]')).toBeVisible();
    },
  },
  {
    name: 'line',
    open: async (page, table) => {
      await page.keyboard.press('Escape');
      await table.panel('Engines').click();
      await page.locator('.lines button').first().click();
      await expect(page.getByRole('button', { name: 'Return' })).toBeVisible();
    },
  },
  {
    name: 'overlay',
    open: async (page) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('5');
      await expect(page.locator('.wave').first()).toBeVisible();
      await page.keyboard.press('o');
    },
  },
  press('paste', 'p'),
  press('help', '?'),
  click('New game'),
  click('Settings'),
  setUp,
  playHere,
];

const WIDE_SCREENS: readonly Screen[] = [...SCREENS, click('Copy')];

/** What a phone has in place of the rail and the long header. */
const PHONE_SCREENS: readonly Screen[] = [
  ...SCREENS,
  ...(['mistakes', 'graph'] as const).map((name) => ({
    name,
    open: (page: Page) => page.locator(`[data-panel="${name}"]`).click(),
  })),
  ...['Overlays', 'More'].map((name) => ({
    name: name.toLowerCase(),
    open: async (page: Page) => {
      await page.getByRole('navigation').getByRole('button', { name }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  })),
];

/** The other places, after the screens of Review. */
const PLACES: readonly Screen[] = [
  {
    name: 'play',
    open: async (page, table) => {
      await table.place('Play').click();
      await expect(page.locator('.label')).toHaveCount(0);
    },
  },
  {
    name: 'games',
    open: async (page, table) => {
      await table.place('Games').click();
      await page.getByRole('link', { name: 'Recent' }).click();
      await expect(page.getByRole('list', { name: 'Games' })).toBeVisible();
    },
  },
];

/** How far the page is wider than the window. */
const overhang = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Opens one screen after the other; a dialog is closed before the next. */
async function tour(
  page: Page,
  table: Table,
  screens: readonly Screen[],
  look: (name: string) => Promise<void>,
): Promise<void> {
  for (const screen of screens) {
    await screen.open(page, table);
    await look(screen.name);
    if ((await page.getByRole('dialog').count()) > 0) {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  }
}

/** A game in Review with values on the board and an engine that leaves the machine to the test. */
async function reviewed(page: Page, table: Table, api: Api): Promise<void> {
  await table.show(await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' }));
  await expect(page.locator('.label').first()).toBeVisible();
  await page.keyboard.press('a');
  await expect(table.button('Stop')).toHaveCount(0);
}

for (const [what, size, screens] of [
  ['a desk', { width: 1280, height: 800 }, WIDE_SCREENS],
  ['a phone', { width: 390, height: 844 }, PHONE_SCREENS],
] as const) {
  test(`axe finds nothing serious on ${what}`, async ({ table, api, page }) => {
    test.slow();
    await page.setViewportSize(size);
    await reviewed(page, table, api);
    await tour(page, table, [...screens, ...PLACES], async (name) => {
      for (const theme of THEMES) {
        // The settings do the same; other tests see to that.
        await page.evaluate((it) => {
          document.documentElement.dataset['theme'] = it;
        }, theme);
        // Only colours differ from theme to theme.
        const rules = theme === THEMES[0] ? [] : ['color-contrast'];
        expect(await serious(page, rules), `${name} in ${theme}`).toEqual([]);
      }
    });
  });
}

test('buttons and the box for moves are one row on a small desk', async ({ table, api, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const [mode, people] of [
    ['play', 'both'],
    // A game against a level can be given up: one button more.
    ['play', 'black'],
    ['analyse', 'both'],
  ] as const) {
    await table.show(await api.newGame({ mode, moves: MOVES, people, level: 'elo_400' }));
    await expect(table.moves).toHaveCount(12);
    await expect(table.button('Resign')).toHaveCount(people === 'black' ? 1 : 0);
    const group = page.getByRole('group', { name: 'Moves', exact: true });
    const board = (await table.board.boundingBox())!;
    const row = (await group.boundingBox())!;
    const name = mode === 'play' ? 'Undo' : 'Play from here';
    const button = (await table.button(name).boundingBox())!;
    const box = (await page.locator('[data-move-box]').boundingBox())!;
    expect(Math.abs(box.y + box.height / 2 - button.y - button.height / 2)).toBeLessThan(2);
    expect(row.height).toBeLessThan(1.5 * button.height);
    // The score bar, where there is one, belongs to the width of the board.
    const scoreBar = mode === 'analyse' ? 28 : 0;
    expect(box.x + box.width).toBeLessThanOrEqual(board.x + board.width + scoreBar + 8);
    expect(box.width).toBeGreaterThan(60);
    // What marks and hints mean is in sight.
    if (mode !== 'play') continue;
    for (const key of ['1', '3']) {
      await page.keyboard.press(key);
      const legend = (await page.locator('.legend').boundingBox())!;
      expect(legend.y + legend.height).toBeLessThanOrEqual(800);
      await page.keyboard.press('o');
    }
  }
});

test('at 200 % both sides have name, time and discs inside of their boxes', async ({
  table,
  api,
  page,
}) => {
  const timeControl = { initialMs: 300_000, incrementMs: 0 };
  await table.show(
    await api.newGame({
      mode: 'play',
      people: 'black',
      moves: MOVES,
      level: 'tournament',
      timeControl,
    }),
  );
  for (const size of [
    { width: 640, height: 400 },
    { width: 320, height: 640 },
  ]) {
    await page.setViewportSize(size);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    for (const player of await page.locator('.player').all()) {
      const around = (await player.boundingBox())!;
      for (const part of ['.who strong', '[role="timer"]', '.count']) {
        const box = (await player.locator(part).boundingBox())!;
        expect(box.x, part).toBeGreaterThanOrEqual(around.x);
        expect(box.x + box.width, part).toBeLessThanOrEqual(around.x + around.width);
      }
      const cut = await player.locator('.who').evaluate((it) => it.scrollWidth - it.clientWidth);
      expect(cut, 'the name is whole').toBeLessThanOrEqual(1);
    }
  }
  // A game that is over, in Review.
  await page.setViewportSize({ width: 640, height: 400 });
  const { id } = await api.newGame({ mode: 'analyse', people: 'both', moves: WIPED_OUT });
  await page.goto(`${table.kibitz.origin}/#/review/${id}`);
  await page.locator('[data-panel="graph"]').click();
  await expect(page.locator('[data-review-head] .side')).toHaveCount(2);
  for (const player of await page.locator('[data-review-head] .side').all()) {
    expect((await player.boundingBox())!.height).toBeLessThan(80);
  }
});

test('with the system’s colours, what is chosen can be read', async ({ table, api, page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await table.show(await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' }));
  const colours = await page
    .locator('.move[aria-current="true"]')
    .evaluate((it) =>
      [it, ...it.querySelectorAll('*')].map((part) => getComputedStyle(part).color),
    );
  expect(new Set(colours).size).toBe(1);
  const muted = await page.locator('.move[aria-current="true"]').evaluate((it) => {
    const part = document.createElement('small');
    part.className = 'muted';
    it.append(part);
    const found = [getComputedStyle(part).color, getComputedStyle(it).color];
    part.remove();
    return found;
  });
  expect(muted[0]).toBe(muted[1]);
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

for (const [what, sizes, screens] of [
  ['desks', DESKS, WIDE_SCREENS],
  ['phones', PHONES, PHONE_SCREENS],
] as const) {
  test(`nothing sticks out on ${what} of any size`, async ({ table, api, page }) => {
    await page.setViewportSize(sizes[0]);
    await reviewed(page, table, api);
    await tour(page, table, [...screens, ...PLACES], async (name) => {
      for (const size of [...sizes, sizes[0]]) {
        await page.setViewportSize(size);
        expect(await overhang(page), `${name} at ${size.width}`).toBeLessThanOrEqual(0);
        if (name !== 'engines') continue;
        const box = (await table.board.boundingBox())!;
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(size.width + 0.5);
        expect(box.height).toBeLessThanOrEqual(size.height);
      }
    });
  });
}

test('settings are kept, keys can be changed', async ({ table, page }) => {
  await table.button('Settings').click();
  await page.getByRole('radio', { name: 'Light', exact: true }).check();
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
