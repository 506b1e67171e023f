import { expect, test, type Table } from './kibitz';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** What is smaller than a thumb, on the screen as it is. */
async function small(table: Table): Promise<string[]> {
  return table.page.evaluate(() => {
    const top = document.querySelector('dialog[open]') ?? document;
    const targets = top.querySelectorAll(
      'button, a[href], input:not([type="file"]), textarea, select, [role="gridcell"], label.button',
    );
    return [...targets].flatMap((target) => {
      const style = getComputedStyle(target);
      const box = target.getBoundingClientRect();
      const hidden =
        box.width === 0 || style.visibility === 'hidden' || target.classList.contains('skip');
      if (hidden || (box.width >= 43.5 && box.height >= 43.5)) return [];
      return [`${target.outerHTML.slice(0, 90)}: ${box.width} × ${box.height}`];
    });
  });
}

test('playing by tapping', async ({ table, page }) => {
  await expect(page.getByRole('navigation', { name: 'Places' })).toHaveCount(1);
  await table.playable.first().tap();
  await expect.poll(() => table.moves.count()).toBe(2);
  await table.turn();
  await table.button('Undo').tap();
  await expect(table.playable).toHaveCount(4);
});

test('holding a move asks why not here; the answer is a sheet below the board', async ({
  table,
  page,
  context,
}) => {
  const box = (await table.cell('d3').boundingBox())!;
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const devtools = await context.newCDPSession(page);
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
  const sheet = page.locator('.sheet [data-why]');
  await expect(sheet).toBeVisible();
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(sheet.getByRole('heading')).toContainText('d3');
  await expect(sheet.locator('.actions button').first()).toBeVisible();
  // Holding is not playing.
  await expect(table.moves).toHaveCount(0);
  expect(await small(table)).toEqual([]);
  await table.button('Close the explanation').tap();
  await expect(sheet).toHaveCount(0);
});

for (const width of [360, 390]) {
  test(`everything is large enough for a thumb at ${width} px`, async ({ table, api, page }) => {
    await page.setViewportSize({ width, height: width === 360 ? 640 : 844 });
    await table.playFirst();
    expect(await small(table)).toEqual([]);
    await table.show(await api.newGame({ mode: 'analyse', moves: 'f5d6c3d3c4f4', people: 'both' }));
    await expect(page.locator('[data-depth]')).toBeVisible();
    expect(await small(table)).toEqual([]);
    for (const tab of ['Overlays', 'More']) {
      await page.getByRole('navigation').getByRole('button', { name: tab }).tap();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await small(table)).toEqual([]);
      await table.button('Close').tap();
    }
    for (const name of ['New game', 'Help', 'Settings']) {
      await table.button(name).tap();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await small(table)).toEqual([]);
      await table.button('Close').tap();
    }
  });
}

test('places and overlays at the thumb', async ({ table, page }) => {
  const tabs = page.getByRole('navigation', { name: 'Places' });
  await table.place('Review').tap();
  await expect(page.locator('.label')).toHaveCount(4);
  await tabs.getByRole('button', { name: 'Overlays' }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Frontier' }).tap();
  await table.button('Close').tap();
  await expect(page.locator('.wave').first()).toBeVisible();
  await table.place('Play').tap();
  await expect(page.locator('.label')).toHaveCount(0);
});

test('the panels of Review are tabs of a sheet below the board', async ({ table, api, page }) => {
  await table.show(await api.newGame({ mode: 'analyse', moves: 'f5d6c3d3c4f4', people: 'both' }));
  const tabs = page.getByRole('tablist', { name: 'Panels' });
  await expect(tabs.getByRole('tab')).toHaveText([
    'Why',
    'Mistakes',
    'Graph',
    'Lines',
    'Explorer',
    'Moves',
  ]);
  const sheet = page.getByRole('tabpanel');
  const board = (await table.board.boundingBox())!;
  for (const [tab, content] of [
    ['Why', '[data-why]'],
    ['Mistakes', '[data-mistakes]'],
    ['Graph', '.graph'],
    ['Lines', '[data-depth]'],
    ['Moves', '[data-node]'],
  ] as const) {
    await tabs.getByRole('tab', { name: tab }).tap();
    await expect(sheet.locator(content).first()).toBeVisible();
    // The board stays where it is.
    expect(await table.board.boundingBox()).toEqual(board);
    expect(await small(table)).toEqual([]);
  }
  // An answer brings its own tab.
  await table.playable.first().focus();
  await page.keyboard.press('w');
  await expect(tabs.getByRole('tab', { name: 'Why' })).toHaveAttribute('aria-selected', 'true');
});
