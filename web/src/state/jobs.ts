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
    case 'import':
    case 'collect': {
      const kilobytes = (bytes: number) => Math.round(bytes / KILOBYTE);
      return {
        title: `Import of ${subject.name ?? 'a text'}`,
        unit: 'Kilobytes',
        done: kilobytes(done),
        total: kilobytes(total),
      };
    }
    case 'fetch':
      return { title: `Games of ${subject.name}`, unit: 'Months', done, total };
    case 'tournament':
      return { title: subject.name, unit: 'Pairs of games', done, total };
    case 'install': {
      const kilobytes = (bytes: number) => Math.round(bytes / KILOBYTE);
      return {
        title: `Install ${subject.name}`,
        unit: 'Kilobytes',
        done: kilobytes(done),
        total: kilobytes(total),
      };
    }
  }
}

/** How long a job will go on; null if that is not known. */
export function remaining({ remainingMs }: Job): string | null {
  if (remainingMs === null) return null;
  const seconds = Math.ceil(remainingMs / 1000);
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`;
}

/** The same behind the state of a job; nothing if it is not known. */
export function remainingText(job: Job): string {
  const time = remaining(job);
  return time === null ? '' : `, ${time} left`;
}
