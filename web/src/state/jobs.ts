// What a list of running work says about each job.

import type { Job } from '../api/wire';

interface AboutJob {
  readonly title: string;
  /** What `done` and `total` count. */
  readonly unit: string;
  readonly done: number;
  readonly total: number;
}

const KILOBYTE = 1000;

export function aboutJob({ subject, done, total }: Job): AboutJob {
  switch (subject.kind) {
    case 'review':
      return { title: `Review of game ${subject.session}`, unit: 'Moves', done, total };
    case 'reviews':
      return { title: `Review of ${subject.games} games`, unit: 'Games', done, total };
    case 'import': {
      const kilobytes = (bytes: number) => Math.round(bytes / KILOBYTE);
      return {
        title: `Import of ${subject.name ?? 'a text'}`,
        unit: 'Kilobytes',
        done: kilobytes(done),
        total: kilobytes(total),
      };
    }
  }
}

/** How long a job will go on, behind its state; nothing if that is not known. */
export function remainingText({ remainingMs }: Job): string {
  if (remainingMs === null) return '';
  const seconds = Math.ceil(remainingMs / 1000);
  const time = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `, about ${time} left`;
}
