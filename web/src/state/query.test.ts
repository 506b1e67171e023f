import { expect, test } from 'vitest';
import { filterTitle, queryText, readQuery, readTyped, withFilters } from './query';

test('what is typed becomes filters', () => {
  expect(readTyped('tamenori 1990-1995 result:draw')).toEqual([
    { key: 'text', value: 'tamenori' },
    { key: 'year', value: '1990-1995' },
    { key: 'result', value: 'draw' },
  ]);
  expect(readTyped('  ')).toEqual([]);
  expect(readTyped('event:"world open" 1899')).toEqual([
    { key: 'event', value: 'world open' },
    { key: 'year', value: '1899' },
  ]);
  // Four digits that are no year are words.
  expect(readTyped('9999')).toEqual([{ key: 'text', value: '9999' }]);
});

test('a query comes back as it was', () => {
  const filters = [
    { key: 'text', value: 'ann smith' },
    { key: 'year', value: '2024' },
    { key: 'tag', value: 'to study' },
  ];
  expect(queryText(filters)).toBe('text:"ann smith" year:2024 tag:"to study"');
  expect(readQuery(queryText(filters))).toEqual(filters);
  expect(readQuery('ann bob year:2020')).toEqual([
    { key: 'player', value: 'ann bob' },
    { key: 'year', value: '2020' },
  ]);
});

test('a quote in a value cannot break the query', () => {
  const text = queryText([{ key: 'event', value: 'the "open' }]);
  expect(readQuery(text)).toEqual([{ key: 'event', value: 'the  open' }]);
});

test('a new value takes the place of the old one; tags and words add up', () => {
  const years = withFilters([{ key: 'year', value: '2020' }], [{ key: 'year', value: '2021' }]);
  expect(years).toEqual([{ key: 'year', value: '2021' }]);
  const tags = withFilters([{ key: 'tag', value: 'a' }], [{ key: 'tag', value: 'b' }]);
  expect(tags).toHaveLength(2);
  expect(withFilters(tags, [{ key: 'tag', value: 'b' }])).toHaveLength(2);
  const words = withFilters([{ key: 'text', value: 'ann' }], [{ key: 'text', value: 'bob' }]);
  expect(words).toEqual([{ key: 'text', value: 'ann bob' }]);
});

test('chips say what they do', () => {
  expect(filterTitle({ key: 'year', value: '2024-2026' })).toBe('2024 – 2026');
  expect(filterTitle({ key: 'result', value: 'white' })).toBe('Won by White');
  expect(filterTitle({ key: 'colour', value: 'x' })).toBe('colour: x');
});
