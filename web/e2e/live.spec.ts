import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, serious, test, type Kibitz } from './kibitz';

// Consent, engines and games that are new to the program belong to the tests.
test.use({ alone: true });

/** A server on this computer that answers some addresses. */
async function serve(answers: Record<string, string | Buffer>): Promise<[Server, string]> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const answer = answers[pathname];
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(answer);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

const pgn = (white: string) =>
  `[Event "Rated blitz game"]\n[Date "2024.03.01"]\n[White "${white}"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 { [%clk 0:03:00] } e5 2. Nf3 1-0\n\n\n`;

/** Lines as Lichess sends them. */
const lines = (names: string[]) =>
  names
    .map((name, n) =>
      JSON.stringify({ id: `game000${n}`, createdAt: 1_709_280_000_000 + n, pgn: pgn(name) }),
    )
    .join('\n') + '\n';

/** Has the program ask another server. It reads its file again with the next change of settings. */
async function aim(kibitz: Kibitz, lichess: string): Promise<void> {
  const path = join(kibitz.home, 'config.toml');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/lichess_url = "[^"]*"/, `lichess_url = "${lichess}"`));
}

test.describe('games from Lichess', () => {
  test.use({ refusals: true });

  test('come in after consent, once, and a wrong name is told', async ({
    table,
    kibitz,
    api,
    page,
  }) => {
    const [server, address] = await serve({
      '/api/games/user/Ann': lines(['Ann1', 'Ann2', 'Ann3']),
    });
    await aim(kibitz, address);
    await page.goto(`${kibitz.origin}/#/games/imports`);
    const card = page.getByRole('region', { name: 'From Lichess or Chess.com' });
    await expect(card.getByText('asks no server before you allow it')).toBeVisible();
    await card.getByRole('button', { name: 'Allow requests' }).click();
    await card.getByLabel('Name, or address of the page').fill('no name');
    await card.getByRole('button', { name: 'Fetch games' }).click();
    await expect(card.getByRole('alert')).toContainText('is no name of a player on Lichess');
    await card.getByLabel('Name, or address of the page').fill('https://lichess.org/@/Ann');
    await page.keyboard.press('Enter');
    const earlier = page.getByRole('region', { name: 'Earlier' });
    await expect(earlier).toContainText('Read 3 games: 3 new, 0 already here');
    await card.getByLabel('Name, or address of the page').fill('Ann');
    await page.keyboard.press('Enter');
    await expect(earlier).toContainText('0 new, 3 already here');
    await card.getByLabel('Name, or address of the page').fill('Nobody');
    await page.keyboard.press('Enter');
    await expect(earlier).toContainText('has no player Nobody');
    // A token is kept and never shown again.
    await card.getByText('Token for Lichess').click();
    await card.getByLabel('Token', { exact: true }).fill('lip_secretsecret');
    await card.getByRole('button', { name: 'Keep it' }).click();
    await expect(card.getByText('(one is kept)')).toBeVisible();
    await expect(card.getByLabel('Token', { exact: true })).toHaveValue('');
    for (const theme of ['light', 'highContrast', 'dark'] as const) {
      await api.settings({ ui: { theme } });
      const shown = theme === 'highContrast' ? 'contrast' : theme;
      await expect(page.locator('html')).toHaveAttribute('data-theme', shown);
      expect(await serious(page), theme).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await serious(page)).toEqual([]);
    await card.getByRole('button', { name: 'Forget it' }).click();
    await expect(card.getByText('(optional)')).toBeVisible();
    server.close();
    await table.place('Play').click();
    await table.ready();
  });
});

/** An engine of a few lines with a button; what it is told is in its conversation. */
const ENGINE = `#!/bin/sh
while read -r word rest; do case $word in
uci) echo id name Yew 1.0; echo 'option name MultiPV type spin default 1 min 1 max 9'
echo 'option name EvalFile type string default none'
echo 'option name Clear Hash type button'; echo uciok;;
isready) echo readyok;;
quit) exit 0;;
go) echo 'info depth 12 multipv 1 score cp 35 nodes 500 time 5 pv e2e4 e7e5'
case "$rest" in *movetime*|*searchmoves*|*wtime*|*depth*) echo bestmove e7e5;; esac;;
stop) echo bestmove e2e4;;
esac; done
`;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('an engine and its network are installed from the page', async ({ table, kibitz, page }) => {
  const [server, address] = await serve({ '/yew': ENGINE, '/yew.nnue': 'weights' });
  const builds = ['linux', 'darwin'].flatMap((os) =>
    ['amd64', 'arm64'].map(
      (arch) =>
        `[engines.yew.builds.${os}-${arch}]\nurl = "${address}/yew"\nsha256 = "${sha256(ENGINE)}"\nbinary = "yew"\nextract = "none"\n`,
    ),
  );
  const network = `[engines.yew.networks.big]\nurl = "${address}/yew.nnue"\nsha256 = "${sha256('weights')}"\nfile = "yew.nnue"\noption = "EvalFile"\ndescription = "The large one."\n`;
  await mkdir(join(kibitz.home, 'engines'), { recursive: true });
  await writeFile(
    join(kibitz.home, 'engines', 'yew.toml'),
    `[engines.yew]\nname = "Yew"\ndescription = "A tree"\n${builds.join('')}${network}`,
  );
  const headers = { Authorization: `Bearer ${kibitz.token}` };
  await page.request.post(`${kibitz.origin}/api/engines/consent`, {
    data: { allowed: true },
    headers,
  });
  await page.goto(`${kibitz.origin}/#/lab/engines`);
  const known = page.getByRole('listitem').filter({ hasText: 'A tree' });
  await known.getByRole('button', { name: 'Install' }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'Yew 1.0' });
  await expect(card).toContainText('Downloaded and checked.');
  await card.getByRole('button', { name: 'Install network big' }).click();
  await expect(card).toContainText('in use');
  await card.getByRole('button', { name: 'Options' }).click();
  await expect(page.getByLabel(/^EvalFile/)).toHaveValue(/networks\/yew\.nnue$/);
  await page.getByRole('button', { name: 'Clear Hash' }).click();
  await expect(page.getByText('Clear Hash: done.')).toBeVisible();
  expect(await serious(page)).toEqual([]);
  await page.getByRole('button', { name: 'Conversation' }).click();
  await expect(page.getByText('setoption name Clear Hash').first()).toBeVisible();
  server.close();
  await table.place('Play').click();
  await table.ready();
});

test('what an engine found stands in the explorer, and a game is given up', async ({
  table,
  kibitz,
  api,
  page,
}) => {
  const path = join(kibitz.home, 'oak.sh');
  await writeFile(path, ENGINE.replace('Yew', 'Oak'), { mode: 0o755 });
  const headers = { Authorization: `Bearer ${kibitz.token}` };
  const data = { name: 'oak', path, protocol: 'uci' };
  await page.request.post(`${kibitz.origin}/api/engines`, { data, headers });
  const game = await api.newGame({ mode: 'analyse', kind: 'chess' });
  await table.show(game);
  await page.getByRole('button', { name: 'Oak 1.0' }).click();
  await expect(
    page.getByRole('region', { name: 'Oak 1.0' }).getByText('+0.35').first(),
  ).toBeVisible();
  const found = page.getByRole('region', { name: 'What engines found here' });
  await table.panel('Explorer').click();
  await expect(page.getByRole('region', { name: 'Explorer' })).toBeVisible();
  await expect(found).toBeHidden();
  // What was found is written down when the engine has stopped: the explorer, which is open, shows it.
  await page.request.delete(`${kibitz.origin}/api/sessions/${game.id}/analysis`, { headers });
  await expect(found).toContainText('Oak 1.0');
  await expect(found).toContainText('e4 e5');
  const row = page.getByRole('row').filter({ hasText: 'e4' });
  await expect(row).toContainText('+0.35');
  expect(await serious(page)).toEqual([]);
  await row.getByRole('button', { name: 'e4' }).click();
  await expect(table.moves).toHaveCount(1);
  // A game against it, given up.
  const play = await api.newGame({
    mode: 'play',
    kind: 'chess',
    people: 'white',
    opponent: { engine: 'oak', depth: 3 },
  });
  await table.show(play);
  await table.button('Resign').click();
  await table.button('Play on').click();
  await table.button('Resign').click();
  await table.button('Yes, resign').click();
  await expect(page.getByText('Black wins: White resigned').first()).toBeVisible();
  await expect(table.button('Resign')).toBeHidden();
});
