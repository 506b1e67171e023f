// Reviews of many games put together, as a picture: places of points and lengths of bars.

import type { InsightBar, Insights } from '../api/wire';

export const CHART = { width: 640, height: 180, left: 44, bottom: 22 } as const;

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly game: number;
  readonly label: string;
}

const yOf = (accuracy: number) =>
  (1 - Math.max(0, Math.min(100, accuracy)) / 100) * (CHART.height - CHART.bottom - 8) + 8;

/** The games in the order of their dates, one beside the other: dates come in clusters. */
export function chartPoints(insights: Pick<Insights, 'overTime'>): ChartPoint[] {
  const { overTime } = insights;
  const room = CHART.width - CHART.left - 8;
  const step = overTime.length > 1 ? room / (overTime.length - 1) : 0;
  return overTime.map(({ game, date, accuracy }, i) => ({
    x: CHART.left + (overTime.length > 1 ? i * step : room / 2),
    y: yOf(accuracy),
    game,
    label: `${date === '' ? 'no date' : date}: accuracy ${Math.round(accuracy)}`,
  }));
}

/** How many games one mean is made of. */
const MEAN_OF = 8;

/** The mean of the last games at each game, as the points of a line; calm where single games jump. */
export function meanLine(insights: Pick<Insights, 'overTime'>): string {
  const points = chartPoints(insights);
  return points
    .map(({ x }, i) => {
      const some = insights.overTime.slice(Math.max(0, i + 1 - MEAN_OF), i + 1);
      const mean = some.reduce((sum, it) => sum + it.accuracy, 0) / some.length;
      return `${x.toFixed(1)},${yOf(mean).toFixed(1)}`;
    })
    .join(' ');
}

/** Lines across the picture, with what they stand for. */
export const GRID: readonly { y: number; text: string }[] = [0, 25, 50, 75, 100].map((it) => ({
  y: yOf(it),
  text: String(it),
}));

/** The length of a bar among others, from 0 to 1. */
export function lengthOf(
  bar: InsightBar,
  among: readonly InsightBar[],
  by: (bar: InsightBar) => number,
): number {
  const most = Math.max(...among.map(by), 0);
  return most <= 0 ? 0 : Math.max(0, by(bar)) / most;
}
