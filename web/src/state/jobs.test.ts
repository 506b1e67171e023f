import { describe, expect, test } from 'vitest';
import type { Job } from '../api/wire';
import { aboutJob, remainingText } from './jobs';

const job = (change: Partial<Job>): Job => ({
  id: 1,
  subject: { kind: 'review', session: 's4' },
  state: 'running',
  done: 3,
  total: 60,
  message: '',
  remainingMs: null,
  canPause: true,
  ...change,
});

describe('a job in the list', () => {
  test('has a title and a unit of its subject', () => {
    expect(aboutJob(job({}))).toEqual({
      title: 'Review of game s4',
      unit: 'Moves',
      done: 3,
      total: 60,
    });
    const subject = { kind: 'import', name: 'all.wtb' } as const;
    expect(aboutJob(job({ subject, done: 1_500_000, total: 9_000_400 }))).toEqual({
      title: 'Import of all.wtb',
      unit: 'Kilobytes',
      done: 1500,
      total: 9000,
    });
  });

  test('says how long it will go on, if that is known', () => {
    expect(remainingText(job({}))).toBe('');
    expect(remainingText(job({ remainingMs: 12_300 }))).toBe(', about 13 s left');
    expect(remainingText(job({ remainingMs: 200_000 }))).toBe(', about 3 min left');
  });
});
