import { expect, serious, test } from './kibitz';

test('a whole game by mouse', async ({ table, page }) => {
  await expect(table.playable).toHaveCount(4);
  while ((await table.turn()) === 'human') await table.playFirst();
  expect(await table.moves.count()).toBeGreaterThan(8);
  await expect(table.playable).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Review it' })).toBeVisible();
});

test('a whole game by keyboard alone', async ({ table, page }) => {
  await page.keyboard.press('b');
  while ((await table.turn()) === 'human') {
    const before = await table.moves.count();
    const target = Number(await table.playable.first().getAttribute('data-square'));
    for (;;) {
      const at = Number(
        await page.evaluate(() => (document.activeElement as HTMLElement).dataset['square']),
      );
      if (at === target) break;
      const [row, wanted] = [Math.floor(at / 8), Math.floor(target / 8)];
      if (row !== wanted) await page.keyboard.press(row < wanted ? 'ArrowDown' : 'ArrowUp');
      else await page.keyboard.press(at < target ? 'ArrowRight' : 'ArrowLeft');
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => table.moves.count()).toBeGreaterThan(before);
  }
  await expect(table.live).not.toBeEmpty();
  // A new game, still without a mouse.
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(table.moves).toHaveCount(0);
});

test('moves are announced, and cells have names', async ({ table }) => {
  await expect(table.cell('d3')).toHaveAttribute('aria-label', 'd3, empty, legal, flips 1');
  await expect(table.cell('d4')).toHaveAttribute('aria-label', 'd4, white disc');
  await expect(table.live).toHaveText(/Start position; Black has 4 moves/);
  await table.playFirst();
  await expect(table.live).toHaveText(/^White [a-h][1-8], flips \d+; Black has \d+ moves?/);
});

test('undo and redo', async ({ table, page }) => {
  const start = await table.discs();
  await table.playFirst();
  const after = await table.discs();
  expect(after).not.toBe(start);
  await page.keyboard.press('z');
  await expect.poll(() => table.discs()).toBe(start);
  await expect(table.button('Undo')).toBeDisabled();
  await page.keyboard.press('y');
  await expect.poll(() => table.discs()).toBe(after);
  await table.button('Undo').click();
  await expect.poll(() => table.discs()).toBe(start);
  // Another move makes a variation; nothing is lost.
  await table.playable.last().click();
  await table.turn();
  await expect(page.locator('.variation').first()).toBeVisible();
});

test('stepping by buttons, keys and the move list', async ({ table, page }) => {
  await table.playFirst();
  await table.playFirst();
  const end = await table.discs();
  const start = '---------------------------OX------XO---------------------------';
  await page.keyboard.press('Home');
  await expect.poll(() => table.discs()).toBe(start);
  for (let step = 0; step < 4; step += 1) await page.keyboard.press(']');
  await expect.poll(() => table.discs()).toBe(end);
  await table.button('One move back').click();
  await expect.poll(() => table.discs()).not.toBe(end);
  await table.button('To the end').click();
  await expect.poll(() => table.discs()).toBe(end);
  await table.moves.first().click();
  await page.keyboard.press('ArrowRight');
  await expect(table.moves.nth(1)).toHaveAttribute('aria-current', 'true');
  await expect(table.moves.nth(1)).toBeFocused();
  // Without a focused square the arrows step; on a square they move the focus.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('ArrowLeft');
  await expect(table.moves.first()).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('b');
  const focused = () =>
    page.evaluate(() => Number((document.activeElement as HTMLElement).dataset['square']));
  const square = await focused();
  await page.keyboard.press(square % 8 < 7 ? 'ArrowRight' : 'ArrowLeft');
  expect(await focused()).toBe(square % 8 < 7 ? square + 1 : square - 1);
  await expect(table.moves.first()).toHaveAttribute('aria-current', 'true');
});

test('hovering and focusing show what would turn', async ({ table, page }) => {
  await table.cell('d3').hover();
  await expect(page.locator('.ghost')).toHaveCount(1);
  await expect(page.locator('.turning')).toHaveCount(1);
  await page.mouse.move(0, 0);
  await expect(page.locator('.ghost')).toHaveCount(0);
  await page.keyboard.press('b');
  await expect(page.locator('.ghost')).toHaveCount(1);
});

test('values are hidden until they are asked for', async ({ table, page }) => {
  await expect(table.playable).toHaveCount(4);
  await expect(page.locator('.label')).toHaveCount(0);
  await page.keyboard.press('v');
  await expect(page.locator('.label')).toHaveCount(4);
  await expect(page.locator('.label-detail').first()).toHaveText(/^(d\d+|solved)$/);
  await expect(page.locator('[data-depth]')).toBeVisible();
  await page.keyboard.press('v');
  await expect(page.locator('.label')).toHaveCount(0);
});

test('a hint points at a legal move and says why', async ({ table, page }) => {
  await expect(table.playable).toHaveCount(4);
  await page.keyboard.press('h');
  await expect(page.locator('.best-frame.dashed')).toHaveCount(1);
  await expect(page.locator('.legend')).not.toBeEmpty();
});

test('Space plays the best move', async ({ table, page }) => {
  await page.keyboard.press(' ');
  await expect(table.moves.first()).toBeVisible();
  await table.turn();
});

test.describe('refusals', () => {
  test.use({ refusals: true });

  test('typed moves are played, wrong ones are explained', async ({ table, page }) => {
    await page.keyboard.press('m');
    await page.keyboard.type('a1');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('a1');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('F5');
    await page.keyboard.press('Enter');
    await expect(table.moves.first()).toContainText('f5');
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

test('the engine moves first if one plays White; a clock runs', async ({ table, api }) => {
  await table.show(
    await api.newGame({
      mode: 'play',
      level: 'elo_400',
      people: 'white',
      timeControl: { initialMs: 300_000, incrementMs: 0 },
    }),
  );
  await expect(table.moves).toHaveCount(1);
  await table.turn();
  await expect(table.page.getByRole('timer')).toHaveCount(2);
  await table.playFirst();
  expect(await table.moves.count()).toBe(3);
});

test('a reload keeps the game', async ({ table, page }) => {
  await table.playFirst();
  await table.playFirst();
  const discs = await table.discs();
  const moves = await table.moves.allTextContents();
  await page.reload();
  await table.ready();
  expect(await table.discs()).toBe(discs);
  expect(await table.moves.allTextContents()).toEqual(moves);
  expect(page.url()).not.toContain('token');
});

test('two windows show the same game', async ({ table, page, context }) => {
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.locator('[data-connection="open"]')).toBeAttached();
  await expect(second.locator('.cell.playable')).toHaveCount(4);
  await table.playFirst();
  const moves = await table.moves.count();
  await expect(second.locator('[data-node]')).toHaveCount(moves);
  await second.keyboard.press('z');
  await expect(page.locator('.cell.playable')).toHaveCount(4);
});

test('two windows show two games, and neither follows the other', async ({
  table,
  page,
  context,
}) => {
  await table.playFirst();
  const moves = await table.moves.count();
  const discs = await table.discs();
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.locator('[data-node]')).toHaveCount(moves);
  await second.keyboard.press('n');
  await expect(second.getByRole('dialog')).toBeVisible();
  await second.keyboard.press('Enter');
  await expect(second.locator('[data-node]')).toHaveCount(0);
  expect(second.url()).not.toBe(page.url());
  await second.locator('.cell.playable').last().click();
  await expect.poll(() => second.locator('[data-node]').count()).toBe(2);
  // The first window is where it was, and its next move goes into its own game.
  await expect(table.moves).toHaveCount(moves);
  expect(await table.discs()).toBe(discs);
  await table.playFirst();
  await expect(second.locator('[data-node]')).toHaveCount(2);
  // The way back leads to the game that both showed.
  await second.goBack();
  await expect.poll(() => second.locator('[data-node]').count()).toBeGreaterThan(moves);
});

/** With ten empty squares all values are proven at once: a2 wins by 8 discs, h2 loses by 30. */
const LATE =
  'f5f6e6f4e3d6g4d3c3h3c4g3g5g6e7d7h5f3h4h6c6f7c7c5c8' +
  'd8b5c2d2e2f1f2e8f8g8b3c1b6a4a3b4a5e1d1g7h8h7b8a7a6';

test.describe('a blunder', () => {
  // The look at a move takes turns with analyses, and other tests leave some behind.
  test.use({ alone: true });

  test('after a blunder one may look again, without the answer', async ({ table, api, page }) => {
    await api.settings({ play: { blunderAlert: true } });
    await table.show(await api.newGame({ mode: 'analyse', moves: LATE, people: 'both' }));
    await expect(table.moves).toHaveCount(50);
    await expect(table.cell('h2')).toHaveAttribute('aria-label', /minus 30/);
    await expect(page.locator('.poor-corner').first()).toBeVisible();
    await table.show(
      await api.newGame({ mode: 'play', level: 'elo_400', people: 'black', moves: LATE }),
    );
    await table.turn();
    await table.cell('h2').click();
    const question = page.getByRole('region', { name: 'Look again?' });
    await expect(question).toBeVisible();
    expect(await serious(page)).toEqual([]);
    await expect(page.locator('.best-frame, .move-mark.better')).toHaveCount(0);
    // The card goes with its position, and comes back with it.
    await page.keyboard.press('Home');
    await expect(question).toHaveCount(0);
    await page.keyboard.press('End');
    await expect(question).toBeVisible();
    await page.keyboard.press('z');
    await expect(table.cell('h2')).toHaveClass(/playable/);
    await expect(question).toHaveCount(0);
    // Another move takes its place, and the old one stays beside it.
    await table.cell('a2').click();
    await table.turn();
    await expect(page.getByRole('button', { name: /h2 Black, variation/ })).toBeVisible();
  });

  test('if so set, a blunder is asked about before it stands', async ({ table, api, page }) => {
    await api.settings({ play: { blunderAlert: true, askBefore: true } });
    await table.show(
      await api.newGame({ mode: 'play', level: 'elo_400', people: 'black', moves: LATE }),
    );
    await expect(table.moves).toHaveCount(50);
    // A good move is answered by a reply.
    await table.cell('a2').click();
    await expect.poll(() => table.moves.count()).toBeGreaterThan(51);
    await table.turn();
    const question = page.getByRole('region', { name: 'Look again?' });
    await expect(question).toHaveCount(0);
    await page.keyboard.press('z');
    await expect(table.cell('h2')).toHaveClass(/playable/);
    await table.cell('h2').click();
    await expect(question).toBeVisible();
    await expect(table.state()).toHaveAttribute('data-state', 'engine');
    const asked = await table.moves.count();
    await page.keyboard.press('k');
    await expect.poll(() => table.moves.count()).toBeGreaterThan(asked);
  });
});

test('the person chooses what plays and how long it may think', async ({ table, page }) => {
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  for (const name of ['White', 'Engines', 'Monte Carlo', '1 s']) {
    await dialog.getByRole('radio', { name, exact: true }).check();
  }
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(page.locator('[data-opponent]')).toHaveText('Monte Carlo, 1 s a move');
  await expect(table.moves).toHaveCount(1);
  // The next dialog begins where this one ended.
  await page.keyboard.press('n');
  await expect(dialog.getByRole('radio', { name: 'Monte Carlo' })).toBeChecked();
});

test('opponents come weakest first, and a game under way is kept', async ({ table, page }) => {
  await table.turn();
  await table.playable.first().click();
  await table.turn();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Opponents' }).check();
  const group = dialog.getByRole('group', { name: 'Opponent', exact: true });
  const names = await group.locator('label').allInnerTexts();
  expect(names[0]).toMatch(/^First day/);
  expect(names.at(-1)).toMatch(/^Full strength/);
  const ratings = names.map((text) => Number(/(\d+) ± \d+/.exec(text)?.[1]));
  expect(ratings).toEqual(ratings.toSorted((one, other) => one - other));
  await expect(dialog.getByText(/Your game against .+ is kept in Games/)).toBeVisible();
  // Arrows go through the list; only who has no depth can be given time.
  await group.getByRole('radio', { name: /^First day/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(group.getByRole('radio', { name: /^Collector/ })).toBeChecked();
  await expect(dialog.getByText('Engine’s time for a move')).toBeHidden();
  await group.getByRole('radio', { name: /^Full strength/ }).check();
  await expect(dialog.getByText('Engine’s time for a move')).toBeVisible();
  await group.getByRole('radio', { name: /^Collector/ }).check();
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText(/Collector/).first()).toBeVisible();
});
