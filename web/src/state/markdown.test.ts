import { expect, test } from 'vitest';
import { inline, markdown } from './markdown';

test('a note is read into blocks', () => {
  const blocks = markdown(
    '# Tiger\nPrefer **f6**.\nI keep\n\n- one\n- two `x`\n\n1. first\n> said',
  );
  expect(blocks.map((it) => it.type)).toEqual(['heading', 'paragraph', 'list', 'list', 'quote']);
  expect(blocks[1]).toEqual({
    type: 'paragraph',
    parts: [
      { type: 'text', text: 'Prefer ' },
      { type: 'strong', text: 'f6' },
      { type: 'text', text: '. I keep' },
    ],
  });
  expect(blocks[2]).toMatchObject({ ordered: false, items: [[{ text: 'one' }], [{}, {}]] });
});

test('only addresses of the web are links', () => {
  expect(inline('[a](https://example.org/x)')).toEqual([
    { type: 'link', text: 'a', href: 'https://example.org/x' },
  ]);
  expect(inline('[a](javascript:alert(1))')).toEqual([
    { type: 'text', text: '[a](javascript:alert(1))' },
  ]);
});

test('what is not closed stays text, and HTML is text', () => {
  expect(inline('2 * 3 * 4')).toEqual([{ type: 'text', text: '2 * 3 * 4' }]);
  expect(inline('<b>x</b>')).toEqual([{ type: 'text', text: '<b>x</b>' }]);
  expect(markdown('```\n# code')).toEqual([{ type: 'code', text: '# code' }]);
});
