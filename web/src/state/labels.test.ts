import { expect, test } from 'vitest';
import { depthText, labelsOf, searchDetails, searchText, valueText, withMobility } from './labels';
import { line, report } from './sample';

test('each move has its value and how deep it is', () => {
  const labels = labelsOf(
    report([line('d2', 11, 200), line('e2', 12, -100), line('b2', 9, -900, '??')], { depth: 20 }),
  );
  expect(labels.get(11)).toEqual({
    text: '+2',
    detail: 'd20',
    kind: 'best',
    spoken: 'best, plus 2, depth 20',
  });
  expect(labels.get(12)?.kind).toBe('plain');
  expect(labels.get(9)?.kind).toBe('poor');
});

test('solved is said instead of a depth, and equals of the best are best', () => {
  const solved = report([line('d2', 11, 200), line('e2', 12, 200)], { solved: true });
  const labels = labelsOf(solved);
  expect(labels.get(12)?.kind).toBe('best');
  expect(labels.get(12)?.detail).toBe('solved');
  expect(depthText(solved)).toBe('solved');
});

test('a bound is not shown as a value, and a pass has no square', () => {
  const bounded = { ...line('c4', 26, -300), bound: 'upper' as const };
  const labels = labelsOf(report([line('ps', null, 0), bounded]));
  expect([...labels.keys()]).toEqual([26]);
  expect(labels.get(26)?.text).toBe('≤−3');
});

test('a value says whose it is', () => {
  expect(valueText(report([line('d2', 11, 200)]))).toBe('+2 for Black');
  expect(valueText(report([], { side: 'white', score: -450 }))).toBe('−4.5 for White');
});

test('how many moves a move leaves stands below its value', () => {
  const labels = labelsOf(report([line('d3', 19, 200), line('c4', 26, -100)]));
  const counted = withMobility(labels, [
    { square: 19, intensity: 1, own: 9, replies: 4 },
    { square: 44, intensity: 0, own: 3, replies: 2 },
  ]);
  expect(counted.get(19)).toEqual({ ...labels.get(19), detail: '9:4' });
  expect(counted.get(26)).toBe(labels.get(26));
  expect(counted.size).toBe(2);
});

test('a search says what it cost and who did it, as far as that is known', () => {
  const found = { nodes: 2_000_000, timeMs: 1000, confidencePercent: 90.4 };
  const source = 'Kibitz 0.1.0 (pattern:shipped)';
  expect(searchText(report([], { ...found, source }))).toBe(
    '2.0 M positions · 2.0 M/s · not proven · Kibitz 0.1.0 (pattern:shipped)',
  );
  expect(searchText(report([], { nodes: 12, timeMs: 0 }))).toBe('12 positions · not proven');
  expect(searchText(report([], { ...found, solved: true }))).toBe('2.0 M positions · 2.0 M/s');
});

test('the details of a search name what was counted and leave out what was not', () => {
  const statistics = {
    cutoffs: null,
    boundsUsed: 12,
    probes: 45_000,
    hits: 900,
    stores: 30_000,
    replacements: 0,
    fillPermille: 125,
  };
  expect(searchDetails(report([], { statistics }))).toEqual([
    ['Bounds used', '12'],
    ['Probes', '45 k'],
    ['Hits', '900'],
    ['Stores', '30 k'],
    ['Replacements', '0'],
    ['Table full', '12.5%'],
  ]);
  expect(searchDetails(report([]))).toEqual([]);
});
