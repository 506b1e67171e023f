// Whether the page stutters: its long tasks and its frames, counted inside the page.

import type { Page } from '@playwright/test';

export interface Smoothness {
  longTasks: number[];
  /** From one frame to the next: 16.7 ms on a screen of 60 Hz that misses none. */
  intervals: number[];
  /** From the beginning of a frame to the end of its scripts, style, layout and paint. */
  work: number[];
}

declare global {
  interface Window {
    smoothness: Smoothness;
  }
}

/** Counts from now on, in every page that is opened. */
export async function watchSmoothness(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: Smoothness = { longTasks: [], intervals: [], work: [] };
    window.smoothness = seen;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longTasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
    // A message that is sent before a frame is painted arrives when it is.
    const painted = new MessageChannel();
    let begun = 0;
    painted.port1.addEventListener('message', () => seen.work.push(performance.now() - begun));
    painted.port1.start();
    let last = 0;
    const frame = (now: number) => {
      if (last > 0) seen.intervals.push(now - last);
      last = now;
      begun = now;
      painted.port2.postMessage(null);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** Forgets what was counted: the measured time begins. */
export async function beginAnew(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.assign(window.smoothness, { longTasks: [], intervals: [], work: [] });
  });
}

export function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    return value === undefined ? 'none' : `${value.toFixed(1)} ms`;
  };
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, worst ${at(1)} of ${values.length}`;
}

/** What was counted, as lines. */
export async function smoothness(page: Page): Promise<string[]> {
  const seen = await page.evaluate(() => window.smoothness);
  const long = seen.longTasks.filter((it) => it > 50);
  return [
    `tasks longer than 50 ms: ${long.length} (${spread(long)})`,
    `work of a frame: ${spread(seen.work)}`,
    `frame to frame: ${spread(seen.intervals)}`,
  ];
}
