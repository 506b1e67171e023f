import { expect, test } from 'vitest';
import type { InsightBar } from '../api/wire';
import { CHART, chartPoints, lengthOf, meanLine } from './insights';

const overTime = [50, 100, 0].map((accuracy, i) => ({ game: i + 1, date: '2024', accuracy }));
const bar = (loss: number) => ({ loss }) as InsightBar;

test('games stand in order, the best at the top', () => {
  const points = chartPoints({ overTime });
  expect(points.map((it) => it.game)).toEqual([1, 2, 3]);
  expect(points[1]!.y).toBeLessThan(points[0]!.y);
  expect(points[2]!.y).toBeGreaterThan(points[0]!.y);
  expect(points.every((it) => it.x >= CHART.left && it.x <= CHART.width)).toBe(true);
  expect(points[0]!.label).toBe('2024: accuracy 50');
});

test('one game stands in the middle, none is no line', () => {
  expect(chartPoints({ overTime: overTime.slice(0, 1) })).toHaveLength(1);
  expect(meanLine({ overTime: [] })).toBe('');
});

test('the line is the mean of the games so far', () => {
  const ys = meanLine({ overTime })
    .split(' ')
    .map((it) => Number(it.split(',')[1]));
  const [first, , third] = chartPoints({ overTime }).map((it) => it.y);
  expect(ys[0]).toBeCloseTo(first!, 1);
  // The third game is the worst; the mean of three is that of the first.
  expect(ys[2]).toBeCloseTo(first!, 1);
  expect(ys[2]).toBeLessThan(third!);
});

test('bars are as long as they are dear', () => {
  const bars = [bar(400), bar(100), bar(0)];
  expect(bars.map((it) => lengthOf(it, bars, ({ loss }) => loss))).toEqual([1, 0.25, 0]);
  expect(lengthOf(bar(0), [bar(0)], ({ loss }) => loss)).toBe(0);
});
