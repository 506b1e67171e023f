import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, serious, test, type Kibitz } from './kibitz';

// Which engines there are belongs to the tests.
test.use({ alone: true });

/** An engine of a few lines: it always thinks of the same move, and answers when it is stopped. */
async function script(kibitz: Kibitz, name: string, move: string, score: number): Promise<string> {
  const path = join(kibitz.home, `${name}.sh`);
  const text = `#!/bin/sh
while read -r word rest; do case $word in
uci) echo id name ${name} 1.0; echo id author Somebody
echo 'option name MultiPV type spin default 1 min 1 max 9'
echo 'option name Ponder type check default false'
echo 'option name Style type combo default Solid var Solid var Risky'
echo 'option name UCI_Elo type spin default 1500 min 1000 max 2000'
echo 'option name Clear Hash type button'; echo uciok;;
isready) echo readyok;;
quit) exit 0;;
go) echo 'info depth 12 seldepth 18 multipv 1 score cp ${score} nodes 5000 nps 100000 hashfull 20 time 50 pv ${move}'
case "$rest" in *movetime*|*searchmoves*|*wtime*|*depth*) echo bestmove ${move};; esac;;
stop) echo bestmove ${move};;
esac; done
`;
  await writeFile(path, text);
  await chmod(path, 0o755);
  return path;
}

test.describe('a board of chess', () => {
  // A move that is refused belongs to the test.
  test.use({ refusals: true });

  test('is played on by clicks, keys and typing, and kept', async ({ table, api, page }) => {
    const game = await api.newGame({ mode: 'analyse', kind: 'chess' });
    await table.show(game);
    await expect(table.cell('g1')).toHaveAttribute('aria-label', 'g1, white knight, can move');
    await table.cell('e2').click();
    await expect(table.cell('e4')).toHaveAttribute('aria-label', 'e4, empty, move here');
    await table.cell('e4').click();
    await expect(table.moves).toHaveCount(1);
    await expect(table.live).toContainText('White e4; Black to move');
    // By keys alone: the board, the pawn, two squares up.
    await page.keyboard.press('b');
    await page.keyboard.press('ArrowRight');
    await table.cell('e7').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(table.moves).toHaveCount(2);
    await page.keyboard.press('m');
    await page.keyboard.type('Nf3');
    await page.keyboard.press('Enter');
    await expect(table.moves).toHaveCount(3);
    await expect(table.moves.nth(2)).toContainText('Nf3');
    await page.keyboard.type('Ke5');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('is not a chess move here');
    await page.reload();
    await table.ready();
    await expect(table.moves).toHaveCount(3);
    await expect(
      page.getByText('C40 King’s Knight Opening').or(page.getByText("King's Knight Opening")),
    ).toBeVisible();
  });
});

test('a pawn becomes what the reader says', async ({ table, api, page }) => {
  const game = await api.newGame({
    mode: 'analyse',
    kind: 'chess',
    position: '8/P6k/8/8/8/8/8/K7 w - - 0 1',
  });
  await table.show(game);
  await table.cell('a7').click();
  await table.cell('a8').click();
  await expect(page.getByRole('dialog', { name: 'What does the pawn become?' })).toBeVisible();
  await page.getByRole('button', { name: 'Knight' }).click();
  await expect(table.moves.first()).toContainText('a8=N');
  await expect(table.cell('a8')).toHaveAttribute('aria-label', /white knight/);
});

test('PGN is pasted, walked and turned', async ({ table, page }) => {
  await page.keyboard.press('p');
  await page
    .getByRole('dialog')
    .getByRole('textbox')
    .fill('[White "Ann"]\n[Black "Bob"]\n\n1. f3 e5 2. g4 (2. e4 Nc6 {calm}) Qh4# 0-1');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(table.moves).toHaveCount(6);
  await page.keyboard.press('End');
  await expect(page.getByText('Black wins by checkmate').first()).toBeVisible();
  await expect(table.cell('e1')).toHaveAttribute('aria-label', /white king, in check/);
  await table.button('Turn the board').click();
  const first = page.locator('[data-square]').first();
  await expect(first).toHaveAttribute('data-name', 'h1');
});

async function addEngine(
  page: Page,
  kibitz: Kibitz,
  [name, move, score]: readonly [string, string, number],
): Promise<void> {
  const path = await script(kibitz, name, move, score);
  const added = await page.request.post(`${kibitz.origin}/api/engines`, {
    data: { name, path, protocol: 'uci' },
    headers: { Authorization: `Bearer ${kibitz.token}` },
  });
  expect(added.ok(), await added.text()).toBe(true);
}

test('a game is gone on with against an engine, and a hint asks one', async ({
  table,
  kibitz,
  api,
  page,
}) => {
  await addEngine(page, kibitz, ['Elm', 'e7e5', 20]);
  const game = await api.newGame({ mode: 'analyse', kind: 'chess', moves: 'e4' });
  await table.show(game);
  expect(await serious(page)).toEqual([]);
  await table.button('Play from here').click();
  const dialog = page.getByRole('dialog', { name: 'Play from here' });
  await expect(dialog.getByText('Black to move.')).toBeVisible();
  // No opponent of Othello is offered.
  await expect(dialog.getByRole('option', { name: 'First day' })).toHaveCount(0);
  await dialog.getByLabel('Against').selectOption({ label: 'Elm 1.0' });
  await dialog.getByRole('radio', { name: 'White' }).check({ force: true });
  expect(await serious(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForURL(/#\/play\//);
  await expect(table.moves).toHaveCount(2);
  await expect(table.moves.nth(1)).toContainText('e5');
  await table.button('Hint').click();
  await expect(page.getByRole('region', { name: 'Elm 1.0', exact: true })).toBeVisible();
});

test('a draw by repetition is claimed', async ({ table, api, page }) => {
  const moves = 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8';
  await table.show(await api.newGame({ mode: 'play', kind: 'chess', people: 'both', moves }));
  await expect(page.getByText(/a draw by threefold repetition is there/).first()).toBeVisible();
  await table.button('Claim draw').click();
  await expect(page.getByText('A draw by threefold repetition').first()).toBeVisible();
  await expect(table.button('Claim draw')).toHaveCount(0);
});

test('a position of chess is set up by its FEN', async ({ table, api, page }) => {
  await table.show(await api.newGame({ mode: 'analyse', kind: 'chess' }));
  await page.keyboard.press('p');
  await table.button('Set up by FEN').click();
  const dialog = page.getByRole('dialog', { name: 'New game of chess' });
  await dialog.getByLabel('FEN').fill('8/P6k/8/8/8/8/8/K7 w - - 0 1');
  await dialog.getByRole('button', { name: 'Begin' }).click();
  await expect(table.cell('a7')).toHaveAttribute('aria-label', /white pawn/);
});

test('engines stand side by side, disagree, fail and follow', async ({
  table,
  kibitz,
  api,
  page,
}) => {
  await addEngine(page, kibitz, ['Alder', 'e2e4', 30]);
  await addEngine(page, kibitz, ['Birch', 'd2d4', 10]);
  const game = await api.newGame({ mode: 'analyse', kind: 'chess' });
  await table.show(game);
  await page.getByRole('button', { name: 'Alder 1.0' }).click();
  await expect(
    page.getByRole('region', { name: 'Alder 1.0' }).getByText('+0.30').first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Birch 1.0', exact: true }).click();
  await expect(page.getByText('They disagree: two engines, two moves')).toBeVisible();
  expect(await serious(page)).toEqual([]);
  // Moving on the board takes them along; frozen they stay.
  await page.keyboard.press('f');
  await expect(table.button('Let go')).toBeVisible();
  await table.button('Let go').click();
  await page.getByRole('button', { name: 'Stop all' }).click();
  await expect(page.getByText('They disagree')).toBeHidden();
});

test('the laboratory adds, sets, tries and removes an engine', async ({ table, kibitz, page }) => {
  const path = await script(kibitz, 'Cedar', 'e2e4', 5);
  await page.goto(`${kibitz.origin}/#/lab/engines`);
  await expect(page.getByRole('heading', { name: 'Engines' })).toBeVisible();
  await page.getByRole('button', { name: 'Add by path' }).click();
  await page.getByLabel('Program', { exact: true }).fill(path);
  await page.getByLabel('What you want to call it').fill('Cedar');
  const form = page.getByRole('form', { name: 'Add a program on this computer' });
  await form.getByRole('button', { name: 'Add' }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'Cedar 1.0' });
  await expect(card).toContainText('Speaks UCI.');
  await card.getByRole('button', { name: 'Test' }).click();
  await expect(card).toContainText('Works: ready after');
  await card.getByRole('button', { name: 'Options' }).click();
  await page.getByLabel('UCI_Elo', { exact: true }).fill('1800');
  await page.getByLabel('UCI_Elo', { exact: true }).press('Tab');
  await expect(page.getByRole('button', { name: 'Options (1 changed)' })).toBeVisible();
  expect(await serious(page)).toEqual([]);
  await page.getByRole('button', { name: 'Conversation' }).click();
  await expect(page.getByText('> uci', { exact: false }).first()).toBeVisible();
  await card.getByRole('button', { name: 'Remove' }).click();
  await card.getByRole('button', { name: 'Remove it' }).click();
  await expect(card).toBeHidden();
  await table.place('Play').click();
  await table.ready();
});
