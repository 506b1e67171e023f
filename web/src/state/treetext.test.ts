import { expect, test } from 'vitest';
import { node } from './sample';
import { treeText } from './treetext';

test('variations, signs and notes are all in the text', () => {
  const tree = [
    node(0, null, { children: [1] }),
    node(1, 0, { move: 'f5', number: 1, children: [2, 4] }),
    node(2, 1, { move: 'd6', number: 2, glyphs: ['?!'], children: [3] }),
    node(3, 2, { move: 'c3', number: 3, comment: 'a {note}' }),
    node(4, 1, { move: 'f4', number: 2, isMain: false, children: [5] }),
    node(5, 4, { move: 'ps', number: null, isMain: false }),
  ];
  expect(treeText({ tree })).toBe('1. f5 2. d6?! (2. f4 ps) 3. c3 {a (note)}');
  expect(treeText({ tree: [node(0, null)] })).toBe('');
});
