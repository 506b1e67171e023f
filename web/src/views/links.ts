// The places of the header and of a phone's tabs, with their addresses.

import { formatRoute, type Place } from '../state/route';
import type { IconName } from '../ui/Icon.svelte';

export interface PlaceLink {
  place: Place;
  title: string;
  icon: IconName;
  href: string;
}

/** Every place that works, in the order of the header. A place of a board keeps the game. */
export function placeLinks(session: string | null): PlaceLink[] {
  const id = session ?? '';
  const board = (place: 'play' | 'review') => {
    if (session === null) return '#/';
    return place === 'play'
      ? formatRoute({ place, id })
      : formatRoute({ place, id, node: null, panel: null });
  };
  return [
    { place: 'play', title: 'Play', icon: 'play', href: board('play') },
    { place: 'review', title: 'Review', icon: 'review', href: board('review') },
    { place: 'games', title: 'Games', icon: 'games', href: '#/games' },
    { place: 'lab', title: 'Lab', icon: 'analyse', href: '#/lab/engines' },
  ];
}
