import { expect, test } from 'vitest';
import type { Overlays } from '../api/wire';
import { OVERLAYS, overlayView } from './overlays';

const overlays: Overlays = {
  node: 0,
  isApproximate: false,
  mobility: [{ square: 19, intensity: 2, own: 3, replies: 1 }],
  parity: [
    { squares: [0, 1, 8], isOdd: true, controller: 'black', mustMoveSoon: [8] },
    { squares: [63, 62], isOdd: false, controller: null, mustMoveSoon: [] },
  ],
  stability: [
    { square: 7, intensity: 1, count: 1 },
    { square: 20, intensity: 0.8, count: 0 },
    { square: 27, intensity: 0.6, count: 0 },
    { square: 28, intensity: 0, count: 0 },
  ],
  corners: [
    { from: 9, corner: 0, side: 'white', kind: 'opens' },
    { from: 54, corner: 63, side: 'white', kind: 'closes' },
    { from: 14, corner: 7, side: 'black', kind: 'opens' },
    { from: 49, corner: 56, side: 'black', kind: 'closes' },
  ],
  frontier: [{ square: 28, intensity: 0.5, count: 4 }],
};
const nothing: Overlays = {
  node: 0,
  isApproximate: false,
  mobility: [],
  parity: [],
  stability: [],
  corners: [],
  frontier: [],
};

test('parity has another pattern for odd and even, and one number for each region', () => {
  const view = overlayView('parity', overlays, 'black');
  expect(view.cells.map((cell) => cell.tint)).toEqual(['orange', 'orange', 'orange', 'sky', 'sky']);
  expect(view.cells.filter((cell) => cell.text !== undefined).map((cell) => cell.text)).toEqual([
    '3',
    '2',
  ]);
  const entry = view.cells.find((cell) => cell.square === 8);
  expect(entry?.mark).toBe('outline');
  // Whoever moves may enter there; nothing says that anybody has to.
  expect(entry?.spoken).toBe('odd region of 3, can be entered now');
  expect(view.note).not.toContain('must');
});

test('corners are arrows of two kinds: good and bad for the mover', () => {
  const view = overlayView('corners', overlays, 'black');
  expect(view.arrows).toEqual([
    { from: 9, to: 0, kind: 'orange' },
    { from: 54, to: 63, kind: 'sky' },
    { from: 14, to: 7, kind: 'sky' },
    { from: 49, to: 56, kind: 'orange' },
  ]);
  expect(view.cells[0]?.spoken).toBe('opens a1 for White');
});

test('weights stay between nothing and all', () => {
  expect(overlayView('mobility', overlays, 'black').cells[0]?.weight).toBe(1);
});

test('a disc that a move can flip along one line has no shield', () => {
  const { cells } = overlayView('stability', overlays, 'black');
  expect(cells.map((cell) => [cell.square, cell.mark])).toEqual([
    [7, 'shield'],
    [20, 'maybe'],
  ]);
  expect(cells.map((cell) => cell.spoken)).toEqual([
    'stable, proven',
    'safe as the board stands, not proven',
  ]);
  const open = { ...overlays, stability: [{ square: 27, intensity: 0.6, count: 0 }] };
  expect(overlayView('stability', open, 'black').note).toBe('No disc is safe yet.');
});

test('every overlay speaks, and says so if there is nothing to see', () => {
  for (const { name, legend } of OVERLAYS) {
    expect(overlayView(name, overlays, 'black').note).toBe(legend);
    expect(overlayView(name, overlays, 'black').cells.every((cell) => cell.spoken)).toBe(true);
    expect(overlayView(name, nothing, 'black').note).not.toBe(legend);
  }
  expect(overlayView('mobility', { ...overlays, isApproximate: true }, 'black').note).toContain(
    'Approximate',
  );
});
