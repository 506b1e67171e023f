import type { Page } from '@playwright/test';
import { expect, serious, test, type Table } from './kibitz';

// What is imported is counted.
test.use({ alone: true });

const THEMES = ['dark', 'light', 'contrast'] as const;
const PGN = `[White "Ann"]
[Black "Bob"]
[Date "2024.05.17"]
[Event "Open <Prague>"]

1. e4 e5 2. Nf3 1-0

[White "Cem"]
[Black "Dan"]

1. e4 Qxx9 *

`;
const GAMES = ['f5d6c3d3c4f4f6f3e6e7', 'f5d6c4d3c3f4f6g5e3f3', 'f5f6e6f4e3c5c4e7', 'f5f4e3f6d3'];

/** Hands a file over as a person does, and waits until its games are in. */
async function importFile(page: Page, table: Table, name: string, text: string): Promise<void> {
  await table.place('Games').click();
  await page
    .locator('main input[type="file"]')
    .first()
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
  await expect(page).toHaveURL(/#\/games\/imports$/);
  await expect(
    page.getByRole('region', { name: 'Earlier' }).getByRole('listitem').filter({ hasText: name }),
  ).toContainText('finished');
}

const list = (page: Page) => page.getByRole('grid', { name: 'Games found' });
const row = (page: Page, at: number) => list(page).locator(`[aria-rowindex="${at + 2}"]`);
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Games' }).getByRole('link', { name });

test('files are dropped, their problems are told, their games are found and opened', async ({
  table,
  page,
}) => {
  await importFile(page, table, 'chess.pgn', PGN);
  const problems = page.getByRole('region', { name: 'List of problems' });
  await expect(problems).toContainText('chess.pgn');
  await expect(problems).toContainText('Qxx9');
  await importFile(page, table, 'othello.txt', GAMES.join('\n'));
  await tab(page, 'Games').click();
  await expect(list(page)).toBeVisible();
  // A filter is a chip that can be taken off.
  await page.keyboard.press('/');
  await page.keyboard.type('ann 2024');
  await page.keyboard.press('Enter');
  await expect(list(page)).toHaveAttribute('aria-rowcount', '2');
  await expect(row(page, 0)).toContainText('Open <Prague>');
  await page.getByRole('button', { name: '2024, take off' }).click();
  await page.getByRole('button', { name: '“ann”, take off' }).click();
  // Chess opens on its own board.
  await page.keyboard.press('/');
  await page.keyboard.type('game:chess');
  await page.keyboard.press('Enter');
  await expect(list(page)).toHaveAttribute('aria-rowcount', '2');
  await row(page, 0).click();
  await expect(page).toHaveURL(/#\/review\//);
  // The way back is there once Review has opened the game.
  await expect(table.moves.first()).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Chess, take off' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('game:othello');
  await page.keyboard.press('Enter');
  await expect(list(page)).toHaveAttribute('aria-rowcount', '5');
  // One click opens a game in Review.
  await row(page, 0).click();
  await expect(page).toHaveURL(/#\/review\//);
  await expect(table.moves.first()).toBeVisible();
});

test('the list is used by keys alone: choose, tag, delete', async ({ table, page }) => {
  // The third game stays, so that the list is empty because of the search.
  await importFile(page, table, 'keys.txt', 'f5d6c3g5\nf5d6c3f3\nf5f6\n');
  await tab(page, 'Games').click();
  // Keys reach the list once it is there.
  await expect(list(page)).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('moves:4 game:othello');
  await page.keyboard.press('Enter');
  await expect(list(page)).toHaveAttribute('aria-rowcount', '3');
  await list(page).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Tag', exact: true }).press('Enter');
  await page.keyboard.type('study');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(row(page, 0)).toContainText('study');
  await page.getByRole('button', { name: 'Delete…' }).press('Enter');
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(page.getByText('No game has all of this.')).toBeVisible();
});

test('the board is a filter, and so is part of a position', async ({ table, page }) => {
  await importFile(page, table, 'board.txt', GAMES.join('\n'));
  await tab(page, 'Games').click();
  await page.getByRole('switch', { name: 'Find games by position' }).check();
  const board = page.getByRole('grid', { name: 'Position to look for' });
  await board.locator('[data-square="37"]').click();
  await expect(page.getByRole('button', { name: 'This position, take off' })).toBeVisible();
  const next = page.getByRole('region', { name: 'Position filter' }).getByRole('table');
  await next.getByRole('button', { name: 'f4' }).click();
  await expect(list(page)).toHaveAttribute('aria-rowcount', '2');
  await page.getByRole('button', { name: 'One move back' }).click();
  await expect(next.getByRole('button', { name: 'd6' })).toBeVisible();
  await page.getByRole('button', { name: 'Part of it' }).click();
  const painted = page.getByRole('grid', { name: 'Squares to look for' });
  await page.getByRole('button', { name: 'White', exact: true }).click();
  await painted.locator('[data-square="28"]').click();
  await expect(page.getByRole('button', { name: 'Part of a position, take off' })).toBeVisible();
});

test('a position is explored beside the board, and its note comes up again', async ({
  table,
  api,
  page,
}) => {
  await importFile(page, table, 'explore.txt', GAMES.join('\n'));
  await table.show(await api.newGame({ mode: 'analyse', moves: 'f5d6c3d3c4', people: 'both' }));
  await table.panel('Explorer').click();
  const explorer = page.getByRole('region', { name: 'Explorer' });
  await expect(explorer.getByRole('button', { name: 'f4' })).toBeVisible();
  const note = page.getByRole('region', { name: 'Your note on this position' });
  await note.getByRole('button', { name: 'Write' }).click();
  await page.keyboard.type('Prefer **f4** here.');
  await note.getByRole('button', { name: 'Save' }).click();
  await expect(note.locator('strong')).toHaveText('f4');
  // The same position by another order of moves.
  await table.show(await api.newGame({ mode: 'analyse', moves: 'f5d6c4d3c3', people: 'both' }));
  await table.panel('Notes').click();
  await expect(note.locator('strong')).toHaveText('f4');
  await table.panel('Explorer').click();
  await explorer.getByRole('button', { name: 'f4' }).click();
  await expect(table.moves).toHaveCount(6);
});

for (const [what, size] of [
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test(`axe finds nothing serious in the collection on ${what}`, async ({ table, api, page }) => {
    test.slow();
    await page.setViewportSize(size);
    await importFile(page, table, `${what.slice(2)}.txt`, [...GAMES, 'f5f5'].join('\n'));
    const look = async (name: string) => {
      const overhang = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overhang, `${name} sticks out`).toBeLessThanOrEqual(0);
      for (const theme of THEMES) {
        await page.evaluate((it) => {
          document.documentElement.dataset['theme'] = it;
        }, theme);
        const rules = theme === THEMES[0] ? [] : ['color-contrast'];
        expect(await serious(page, rules), `${name} in ${theme}`).toEqual([]);
      }
      const folder = process.env['KIBITZ_PICTURES'];
      if (folder) {
        for (const theme of THEMES) {
          await page.evaluate((it) => {
            document.documentElement.dataset['theme'] = it;
          }, theme);
          await page.screenshot({ path: `${folder}/${name}-${what.slice(2)}-${theme}.png` });
        }
      }
    };
    await look('imports');
    await tab(page, 'Games').click();
    await expect(row(page, 0)).toBeVisible();
    await look('games');
    await page.getByRole('switch', { name: 'Find games by position' }).check();
    await page
      .getByRole('grid', { name: 'Position to look for' })
      .locator('[data-square="37"]')
      .click();
    await expect(
      page.getByRole('region', { name: 'Position filter' }).getByRole('table'),
    ).toBeVisible();
    await list(page).focus();
    await page.keyboard.press('x');
    await look('games-position');
    for (const name of ['Tag', 'Export', 'Delete…', 'Filter', 'Save']) {
      await page.getByRole('main').getByRole('button', { name, exact: true }).last().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await look(`dialog-${name.replace('…', '').toLowerCase()}`);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    await page.getByRole('button', { name: 'Part of it' }).click();
    await look('games-part');
    await tab(page, 'Insights').click();
    await expect(page.getByRole('region', { name: 'Overview' })).toBeVisible();
    await look('insights');
    await tab(page, 'Saved searches').click();
    await expect(page.getByRole('region', { name: 'Your names' })).toBeVisible();
    await look('searches');
    await tab(page, 'Recent').click();
    await look('recent');
    await table.show(await api.newGame({ mode: 'analyse', moves: 'f5d6c3d3c4', people: 'both' }));
    await table.panel('Explorer').click();
    await expect(page.getByRole('region', { name: 'Explorer' }).getByRole('table')).toBeVisible();
    await look('explorer');
    await table.panel('Notes').click();
    await expect(page.getByRole('region', { name: 'Your note on this position' })).toBeVisible();
    await look('notes');
  });
}
