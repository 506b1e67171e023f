import { readFile } from 'node:fs/promises';
import { expect, test } from './kibitz';

const MOVES = 'f5d6c3d3c4f4f6g5e3f3g6e2';
const GGF =
  '(;GM[Othello]PC[here]DT[2026]PB[Ann]PW[Bo]RE[?]TI[5:00]TY[8]' +
  'BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6]B[c3];)';
const BOARD = '---------------------------OX------XO--------------------------- X';

for (const [format, text, moves] of [
  ['transcript', MOVES, 12],
  ['GGF', GGF, 3],
  // The valued move comes along as a move to look at.
  ['OBF', `${BOARD}; F5:+0;`, 1],
  ['board', BOARD, 0],
] as const) {
  test(`pasting ${format}`, async ({ table, page }) => {
    await table.playFirst();
    await page.evaluate((content) => {
      const data = new DataTransfer();
      data.setData('text/plain', content);
      window.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, text);
    await expect(page.getByText(/^Recognised as /)).toBeVisible();
    await expect(table.moves).toHaveCount(moves);
    await expect(page.locator('.place[aria-current="page"]')).toHaveText('Review');
  });
}

test('dropping a WTHOR file with several games', async ({ table, page, kibitz }) => {
  const wthor = await kibitz.convert('wtb', `${MOVES}\nf5f6e6f4e3\n`);
  await page.evaluate((base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'WTH_2026.wtb'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
  }, wthor.toString('base64'));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/Recognised as .*WTHOR/)).toBeVisible();
  const games = dialog.getByRole('list', { name: 'Games' }).getByRole('button');
  await expect(games).toHaveCount(2);
  await games.nth(1).click();
  await expect(dialog).toHaveCount(0);
  await expect(table.moves).toHaveCount(5);
});

test('choosing a file', async ({ table, page }) => {
  await page.keyboard.press('p');
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'game.ggf', mimeType: 'text/plain', buffer: Buffer.from(GGF) });
  await expect(table.moves).toHaveCount(3);
});

test.describe('what cannot be read', () => {
  test.use({ refusals: true });

  test('is said with its place', async ({ table, page }) => {
    await page.keyboard.press('p');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('f5d6a1');
    await dialog.getByRole('button', { name: 'Open' }).click();
    await expect(dialog.getByText(/a1/i).last()).toBeVisible();
    await dialog.getByRole('textbox').fill('this is no game');
    await dialog.getByRole('button', { name: 'Open' }).click();
    await expect(dialog.locator('.problem, .problems').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(table.playable).toHaveCount(4);
  });
});

test('copying and saving', async ({ table, api, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await table.show(await api.newGame({ mode: 'analyse', moves: MOVES, people: 'both' }));
  await expect(table.moves).toHaveCount(12);
  await table.button('Copy').click();
  const text = () => page.evaluate(() => navigator.clipboard.readText());
  await table.button('Copy Transcript').click();
  await expect.poll(text).toBe(MOVES);
  await table.button('Copy GGF').click();
  await expect.poll(text).toContain('GM[Othello]');
  await table.button('Copy Board').click();
  await expect.poll(text).toMatch(/^[XO-]{64} [XO]$/);
  await table.button('Copy SVG').click();
  await expect.poll(text).toContain('<svg');
  await table.button('Copy PNG').click();
  await expect
    .poll(() => page.evaluate(async () => (await navigator.clipboard.read())[0]!.types))
    .toContain('image/png');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    table.button('Save PNG').click(),
  ]);
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
});
