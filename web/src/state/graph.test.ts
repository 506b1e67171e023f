import { describe, expect, test } from 'vitest';
import { fitting, graphOf, plyAt } from './graph';

const box = { width: 240, height: 120, left: 40, right: 0, top: 10, bottom: 10 };
const point = (ply: number, value: number | null, solved = false) => ({ ply, value, solved });

describe('value graph', () => {
  test('the scale grows with the values and Black is above', () => {
    const graph = graphOf([point(0, 0), point(1, 500), point(2, -500)], 2, box);
    expect(graph.bound).toBe(8);
    expect(graph.zero).toBe(60);
    expect(graph.dots.map((dot) => Math.sign(graph.zero - dot.y))).toEqual([0, 1, -1]);
    expect(graphOf([point(0, 6400)], 1, box).bound).toBe(64);
    expect(graphOf([], 1, box).bound).toBe(4);
  });

  test('a mate lies at the edge of the scale that the other values need', () => {
    const mate = { ...point(3, 1_000_000), mate: 1 };
    const mated = { ...point(4, -1_000_000), mate: 0 };
    const graph = graphOf([point(0, 30), point(1, -100), point(2, 500), mate, mated], 4, box);
    expect(graph.bound).toBe(8);
    expect(graph.dots.map((dot) => dot.y).slice(3)).toEqual([10, 110]);
    expect(graph.dots[1]!.y).toBeGreaterThan(graph.zero + 5);
  });

  test('what was not analysed is a gap', () => {
    const graph = graphOf(
      [point(0, 0), point(1, 100), point(2, null), point(3, 100), point(4, 0)],
      4,
      box,
    );
    expect(graph.paths).toHaveLength(2);
    expect(graph.dots.map((dot) => dot.ply)).toEqual([0, 1, 3, 4]);
  });

  test('a first look is drawn apart until it was looked at properly', () => {
    const guess = (ply: number) => ({ ...point(ply, 0), isGuess: true });
    const graph = graphOf([guess(0), guess(1), point(2, 0), point(3, 0)], 3, box);
    expect(graph.paths.map((path) => path.isGuess)).toEqual([true, false]);
    expect(graph.paths[0]?.d.split('L')).toHaveLength(3);
    expect(graph.paths[1]?.d.split('L')).toHaveLength(2);
  });

  test('solved begins where the exact tail begins', () => {
    const points = [point(0, 0, true), point(1, 0), point(2, 0, true), point(3, 0, true)];
    expect(graphOf(points, 4, box).solvedFrom).toBe(2);
    expect(graphOf([point(0, 0)], 4, box).solvedFrom).toBeNull();
  });

  test('a label is shortened to its room, and left out where there is none', () => {
    const texts = ['middle game', 'middle'];
    expect(fitting(texts, 90)).toBe('middle game');
    // Between its line and the next one at 900 px.
    expect(fitting(texts, 71)).toBe('middle');
    expect(fitting(texts, 20)).toBe('');
  });

  test('a pointer finds the ply that is drawn there', () => {
    const graph = graphOf([], 60, box);
    for (let ply = 0; ply <= 60; ply += 1) expect(plyAt(graph.x(ply), 60, box)).toBe(ply);
    expect(plyAt(-100, 60, box)).toBe(0);
    expect(plyAt(10_000, 60, box)).toBe(60);
  });
});
