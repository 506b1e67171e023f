import { expect, test } from 'vitest';
import { ApiError, Client } from './client';

/** Answers every request alike and remembers what was asked. */
function answering(status: number, body: string | null) {
  const asked: { url: string; init: RequestInit }[] = [];
  const client = new Client((url, init) => {
    asked.push({ url: String(url), init: init ?? {} });
    return Promise.resolve(new Response(body, { status }));
  });
  return { asked, client };
}

test('names in addresses are escaped', async () => {
  const { asked, client } = answering(200, '{}');
  await client.explain('a/b', 3, 'b2');
  expect(asked[0]?.url).toBe('/api/sessions/a%2Fb/nodes/3/explain?move=b2');
  await client.importGames('f5', 'my games&co.ggf');
  expect(asked[1]?.url).toBe('/api/import?name=my%20games%26co.ggf');
});

test('bodies are JSON, and there is none where nothing is said', async () => {
  const { asked, client } = answering(200, '{}');
  await client.goto('current', { step: 'next' });
  expect(asked[0]?.init).toMatchObject({
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"step":"next"}',
  });
  await client.undo('current');
  expect(asked[1]?.init.body).toBeUndefined();
});

test('a refusal keeps its code and its sentence', async () => {
  const { client } = answering(422, '{"code":"illegal_move","message":"a1 flips no disc"}');
  await expect(client.play('current', { move: 'a1' })).rejects.toMatchObject({
    code: 'illegal_move',
    message: 'a1 flips no disc',
  });
});

test('an answer without content is no error, one without reason says so', async () => {
  await expect(answering(204, null).client.login({ token: 'x' })).resolves.toBeUndefined();
  await expect(answering(500, 'oops').client.settings()).rejects.toThrow('answered 500');
});

test('silence is an error that tells what to look at', async () => {
  const client = new Client(() => Promise.reject(new TypeError('refused')));
  await expect(client.settings()).rejects.toBeInstanceOf(ApiError);
  await expect(client.settings()).rejects.toThrow('still running');
});
