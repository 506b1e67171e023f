// What the help says beside a key.

import { ACTIONS, type Action } from './keys';

const PLACES = { play: 'Play', review: 'Review', games: 'Games' } as const;

/** Where a key means this, if it means something else elsewhere or nothing at the other board. */
export function keyPlaces(action: Action): string {
  const info = ACTIONS.find((it) => it.id === action)!;
  const places: readonly (keyof typeof PLACES)[] = 'places' in info ? info.places : [];
  const isEveryBoard = places.includes('play') && places.includes('review');
  if (places.length === 0 || isEveryBoard) return '';
  return `in ${places.map((it) => PLACES[it]).join(' and ')}`;
}
