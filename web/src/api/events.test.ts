import { expect, test } from 'vitest';
import { look } from './events';

const server = (status: number, page = '<script src="/assets/index-A.js"></script>') =>
  ((path: string) =>
    Promise.resolve(
      path === '/' ? new Response(page) : new Response('{}', { status }),
    )) as unknown as typeof fetch;

test('an old tab finds out whether the program is there, lets it in, and has another page', async () => {
  const own = '/assets/index-A.js';
  expect(await look(server(200), own)).toBe('there');
  expect(await look(server(401), own)).toBe('closed');
  expect(await look(server(503), own)).toBe('gone');
  expect(await look(server(200, '<script src="/assets/index-B.js">'), own)).toBe('older');
  expect(await look(server(200), null)).toBe('there');
  const nobody = (() => Promise.reject(new TypeError('failed'))) as unknown as typeof fetch;
  expect(await look(nobody, own)).toBe('gone');
});
