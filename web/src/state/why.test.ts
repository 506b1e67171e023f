import { expect, test } from 'vitest';
import type { Explanation } from '../api/wire';
import { line, report } from './sample';
import { isOvertaken } from './why';

const explanation = (over: Partial<Explanation> = {}): Explanation => ({
  node: 4,
  side: 'black',
  comparison: {
    best: { move: 'd3', square: 19, score: 200, line: ['d3'] },
    given: { move: 'c4', square: 26, score: -100, line: ['c4'] },
    loss: 300,
  },
  asked: 'c4',
  title: 'Why not c4?',
  headline: null,
  summary: '',
  reasons: [],
  more: [],
  certainty: 'stable',
  certaintyWords: 'at depth 12, steady; not proven',
  isProvisional: false,
  isTradeOff: false,
  asGood: [],
  judgement: null,
  mistakes: [],
  features: [],
  origin: { generation: null, depth: 12, solved: false, source: 'Kibitz', nodes: 1 },
  label: 'depth 12',
  depth: 12,
  solved: false,
  ...over,
});

const same = [line('d3', 19, 200), line('c4', 26, -100)];

test('an explanation stands as long as the board says the same', () => {
  expect(isOvertaken(explanation(), report(same, { depth: 14 }))).toBe(false);
});

test('a deeper report overtakes by another best move or another value', () => {
  const other = [line('c4', 26, 250), line('d3', 19, 200)];
  expect(isOvertaken(explanation(), report(other, { depth: 13 }))).toBe(true);
  const worse = [line('d3', 19, 200), line('c4', 26, -300)];
  expect(isOvertaken(explanation(), report(worse, { depth: 13 }))).toBe(true);
  expect(isOvertaken(explanation(), report(worse, { depth: 8, solved: true }))).toBe(true);
});

test('a report that looked less deep overtakes nothing, and nothing overtakes a proof', () => {
  const other = [line('c4', 26, 250), line('d3', 19, 200)];
  expect(isOvertaken(explanation(), report(other, { depth: 12 }))).toBe(true);
  expect(isOvertaken(explanation(), report(other, { depth: 11 }))).toBe(false);
  expect(isOvertaken(explanation({ solved: true }), report(other, { depth: 30 }))).toBe(false);
});
