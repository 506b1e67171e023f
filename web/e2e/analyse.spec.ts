import { expect, test, type Table } from './kibitz';

const MOVES = 'f5d6c3d3c4f4f6g5e3f3g6e2';

async function analyse(table: Table) {
  await table.place('Review').click();
  await expect(table.page.locator('[data-depth]')).toBeVisible();
}

test('every value has a depth or is solved', async ({ table, page }) => {
  await analyse(table);
  await expect(page.locator('.label')).toHaveCount(4);
  await expect(page.locator('.label-detail')).toHaveText(Array(4).fill(/^(d\d+|solved)$/));
  await expect(page.locator('[data-depth]')).toHaveText(/depth \d+|solved/);
  await page.getByText('Details', { exact: true }).click();
  await expect(page.locator('details dt').first()).toHaveText('Cut-offs');
  await expect(page.locator('details dd').first()).toHaveText(/^\d/);
});

test('the board stays at hand while the engine is busy', async ({ table, page }) => {
  await analyse(table);
  const stop = table.button('Stop');
  await expect(stop).toBeVisible();
  await table.playable.first().click();
  await expect(table.moves).toHaveCount(1);
  await page.keyboard.press('b');
  const at = () =>
    page.evaluate(() => (document.activeElement as HTMLElement).dataset['square'] ?? '');
  const before = await at();
  await page.keyboard.press(Number(before) % 8 < 7 ? 'ArrowRight' : 'ArrowLeft');
  expect(await at()).not.toBe(before);
  for (const key of ['1', '2', '3', '4', '5']) {
    await page.keyboard.press(key);
    await expect(page.locator('.legend')).not.toBeEmpty();
  }
  await page.keyboard.press('[');
  await expect(table.playable).toHaveCount(4);
  await expect(stop).toBeVisible();
  await page.keyboard.press('a');
  await expect(stop).toHaveCount(0);
  await page.keyboard.press('a');
  await expect(stop).toBeVisible();
});

test('five overlays, one at a time', async ({ table, page }) => {
  const names = ['Mobility', 'Parity', 'Stable', 'Corners', 'Frontier'];
  for (const [index, name] of names.entries()) {
    await page.keyboard.press(String(index + 1));
    await expect(table.button(name)).toHaveAttribute('aria-pressed', 'true');
    await expect(page.locator('[aria-label="On the board"] [aria-pressed="true"]')).toHaveCount(1);
    await expect(page.locator('.legend')).not.toBeEmpty();
  }
  await page.keyboard.press('1');
  await expect(table.cell('d3')).toHaveAttribute(
    'aria-label',
    /leaves you \d+ moves?, the opponent \d+/,
  );
  await page.keyboard.press('2');
  // With 60 empty squares in one region, parity means nothing yet, and the page says so.
  await expect(page.locator('.legend')).toContainText('twelve empty squares');
  await expect(page.locator('.tint')).toHaveCount(0);
  await page.keyboard.press('o');
  await expect(page.locator('.legend')).toHaveCount(0);
  await table.button('Frontier').click();
  await expect(page.locator('.wave').first()).toBeVisible();
});

test('why not here: by right click and by key', async ({ table, api, page }) => {
  await table.show(await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' }));
  await expect(table.moves).toHaveCount(12);
  const move = await table.playable.last().getAttribute('data-name');
  await table.cell(move!).click({ button: 'right' });
  const card = page.locator('[data-why]');
  await expect(card.getByRole('heading')).toContainText(move!);
  await expect(card.locator('.chip.number').first()).toContainText(/[+−]?\d/);
  await expect(card.locator('[data-certainty]')).toContainText(/depth \d+|proven/);
  // The board has not moved.
  await expect(table.moves).toHaveCount(12);
  await page.keyboard.press('Escape');
  await expect(card.getByRole('heading')).toHaveText('Why?');
  await table.cell(move!).focus();
  await page.keyboard.press('w');
  await expect(card.getByRole('heading')).toContainText(move!);
});

test('reasons point at squares and lines that can be stepped through', async ({
  table,
  api,
  page,
}) => {
  await table.show(await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' }));
  await expect(table.moves).toHaveCount(12);
  const discs = await table.discs();
  const card = page.locator('[data-why]');
  const names = await table.playable.evaluateAll((cells) =>
    cells.map((cell) => (cell as HTMLElement).dataset['name']!),
  );
  // Some move has a reason; where there is none the card says so.
  for (const name of names) {
    await table.cell(name).click({ button: 'right' });
    await expect(card.getByRole('heading')).toContainText(name);
    // A first look is replaced by the full one, and its reasons with it.
    await expect(card.locator('[data-certainty]')).toBeVisible();
    await expect(card.getByText('first look')).toHaveCount(0);
    if ((await card.locator('.reason').count()) > 0) break;
  }
  const reason = card.locator('.reason').first();
  await expect(reason.locator('.tag')).toHaveText(/^(fact|count|model|trade-off)$/);
  await reason.click();
  await expect(reason).toHaveAttribute('aria-pressed', 'true');
  if (await table.button('Return').isVisible()) await table.button('Return').click();
  await card
    .getByRole('button', { name: /Show line/ })
    .first()
    .click();
  await expect(table.button('Return')).toBeVisible();
  await expect.poll(() => table.discs()).not.toBe(discs);
  await page.keyboard.press('[');
  await expect.poll(() => table.discs()).toBe(discs);
  await page.keyboard.press(']');
  await expect.poll(() => table.discs()).not.toBe(discs);
  await page.keyboard.press('Escape');
  await expect(table.button('Return')).toHaveCount(0);
  expect(await table.discs()).toBe(discs);
});

test('the value graph grows and leads to a move', async ({ table, api, page }) => {
  await table.show(await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' }));
  await expect(table.moves).toHaveCount(12);
  await page.reload();
  await table.ready();
  await expect(page.locator('.graph .dot').first()).toBeVisible();
  const graph = page.getByRole('slider', { name: /value graph/ });
  await graph.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(table.moves.nth(10)).toHaveAttribute('aria-current', 'true');
  await expect(graph).toHaveAttribute('aria-valuenow', '11');
});

test('variations, signs and notes stay', async ({ table, api, page }) => {
  await table.show(await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' }));
  await expect(table.moves).toHaveCount(12);
  await page.keyboard.press('[');
  await expect(table.moves.nth(10)).toHaveAttribute('aria-current', 'true');
  const other = table.playable.filter({ hasNot: page.locator('[data-name="e2"]') });
  const names = await other.evaluateAll((cells) =>
    cells.map((cell) => (cell as HTMLElement).dataset['name']!),
  );
  await table.cell(names.find((name) => name !== 'e2')!).click();
  await expect(page.locator('.variation .move')).toHaveCount(1);
  await table.panel('Notes').click();
  await table.button('Interesting').click();
  await expect(page.locator('.variation .move')).toContainText('!?');
  await page.getByRole('textbox', { name: 'Comment in this game' }).fill('A try.');
  await page.getByRole('textbox', { name: 'Comment in this game' }).blur();
  await expect(page.locator('.comment')).toHaveText('A try.');
  await page.reload();
  await table.ready();
  await expect(page.locator('.comment')).toHaveText('A try.');
  await table.button('Main line').click();
  await expect(page.locator('.variation .move')).toHaveText(/e2/);
  await page.locator('.variation .move').click();
  await table.button('Delete').click();
  await expect(page.locator('.variation')).toHaveCount(0);
});

test('the same game can be played on', async ({ table, page }) => {
  await table.playFirst();
  await analyse(table);
  await table.place('Play').click();
  await expect(page.locator('.label')).toHaveCount(0);
  await table.playFirst();
});
