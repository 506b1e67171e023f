import { describe, expect, test } from 'vitest';
import { formatRoute, isBoard, parseRoute, sessionOf, type Route } from './route';

describe('addresses', () => {
  const routes: readonly [string, Route][] = [
    ['#/', { place: 'start' }],
    ['#/play/s1', { place: 'play', id: 's1' }],
    ['#/review/s12', { place: 'review', id: 's12', node: null, panel: null }],
    ['#/review/s1/7', { place: 'review', id: 's1', node: 7, panel: null }],
    ['#/review/s1?panel=notes', { place: 'review', id: 's1', node: null, panel: 'notes' }],
    ['#/review/s1/7?panel=coach', { place: 'review', id: 's1', node: 7, panel: 'coach' }],
    ['#/games', { place: 'games', tab: 'found' }],
    ['#/games/imports', { place: 'games', tab: 'imports' }],
    ['#/lab/engines', { place: 'lab', tab: 'engines', item: null }],
    ['#/lab/tournaments', { place: 'lab', tab: 'tournaments', item: null }],
    ['#/lab/tournaments/12', { place: 'lab', tab: 'tournaments', item: '12' }],
    ['#/lab/tournaments/new', { place: 'lab', tab: 'tournaments', item: 'new' }],
  ];

  test.each(routes)('%s is read and written', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
    expect(formatRoute(route)).toBe(hash);
  });

  test('no address is the start', () => {
    expect(parseRoute('')).toEqual({ place: 'start' });
    expect(parseRoute('#')).toEqual({ place: 'start' });
    expect(parseRoute('#/play')).toEqual({ place: 'start' });
    expect(parseRoute('#/review/')).toEqual({ place: 'start' });
  });

  test.each([
    '#board',
    '#/train',
    '#/play/s1/7',
    '#/play/a%2Fb',
    '#/review/s1/x',
    '#/review/s1/7/8',
    '#/review/s1/99999999999',
    '#/games/s1',
    '#/lab/engines/3',
    '#/lab/tournaments/0',
    '#/lab/tournaments/3/4',
  ])('%s leads nowhere, and is kept as it is', (hash) => {
    const route = parseRoute(hash);
    expect(route.place).toBe('unknown');
    expect(formatRoute(route)).toBe(hash);
  });

  test('a panel that does not exist is as good as none', () => {
    expect(parseRoute('#/review/s1?panel=map')).toMatchObject({ panel: null });
  });

  test('only boards have a session', () => {
    expect(sessionOf({ place: 'games', tab: 'found' })).toBeNull();
    expect(sessionOf({ place: 'play', id: 's3' })).toBe('s3');
    expect(isBoard('review')).toBe(true);
    expect(isBoard('games')).toBe(false);
  });
});
