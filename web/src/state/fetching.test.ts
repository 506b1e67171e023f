import { expect, test } from 'vitest';
import { fetchWish } from './fetching';

const draft = { name: ' Ann ', most: '30', since: ' 2024-03 ', follow: true, anew: true };

test('a wish has what its source knows and nothing else', () => {
  expect(fetchWish('lichessPlayer', draft)).toEqual({
    source: 'lichessPlayer',
    name: 'Ann',
    most: 30,
    since: '2024-03',
    anew: true,
  });
  expect(fetchWish('lichessRound', draft)).toEqual({
    source: 'lichessRound',
    name: 'Ann',
    follow: true,
  });
  expect(fetchWish('lichessStudy', draft)).toEqual({ source: 'lichessStudy', name: 'Ann' });
  const empty = { name: 'erik', most: null, since: '', follow: false, anew: false };
  expect(fetchWish('chessComPlayer', empty)).toEqual({ source: 'chessComPlayer', name: 'erik' });
});
