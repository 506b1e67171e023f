// The five overlays as marks on squares. One at a time, and never by colour alone.

import type { CornerArrow, Heat, OverlayName, Overlays, Side } from '../api/wire';
import type { OverlayCell, OverlayView } from '../board/view';
import type { IconName } from '../ui/Icon.svelte';
import { plural } from './numbers';
import { sideName } from './say';
import { nameOf } from './squares';

export interface OverlayInfo {
  name: OverlayName;
  title: string;
  short: string;
  icon: IconName;
  legend: string;
}

/** A disc that is safe along all of its four lines has this; along fewer, a move can flip it. */
const SAFE_NOW = 0.8;

/** In the order of the keys 1 to 5. */
export const OVERLAYS: readonly OverlayInfo[] = [
  {
    name: 'mobility',
    title: 'Mobility',
    short: 'Mobility',
    icon: 'mobility',
    legend: 'Ring and numbers: moves that you have after playing there : replies of the opponent.',
  },
  {
    name: 'parity',
    title: 'Parity',
    short: 'Parity',
    icon: 'parity',
    legend:
      'Stripes: odd region, dots: even region. Dashed frame: who is to move can enter an odd one there.',
  },
  {
    name: 'stability',
    title: 'Stable discs',
    short: 'Stable',
    icon: 'stability',
    legend:
      'Full shield: proven, the disc can never be flipped. Dashed: no move flips it as the board stands.',
  },
  {
    name: 'corners',
    title: 'Corner tension',
    short: 'Corners',
    icon: 'corners',
    legend:
      'Dashed arrow: the move gives the opponent a corner, or costs you one. Solid: the reverse.',
  },
  {
    name: 'frontier',
    title: 'Frontier',
    short: 'Frontier',
    icon: 'frontier',
    legend: 'Dashed ring and number: empty squares beside a disc.',
  },
];

export function overlayView(
  name: OverlayName,
  overlays: Overlays,
  mover: Side | null,
): OverlayView {
  const info = OVERLAYS.find((it) => it.name === name)!;
  const view: OverlayView = {
    name: info.title,
    cells: cellsOf(name, overlays),
    arrows:
      name === 'corners'
        ? overlays.corners.map((arrow) => ({
            from: arrow.from,
            to: arrow.corner,
            kind: isGood(arrow, mover) ? 'sky' : 'orange',
          }))
        : [],
    note: noteOf(name, overlays, info),
  };
  return view;
}

/** Whether the mover gains by it: a corner opens for them, or closes for the opponent. */
function isGood(arrow: CornerArrow, mover: Side | null): boolean {
  return (arrow.kind === 'opens') === (arrow.side === mover);
}

function noteOf(name: OverlayName, overlays: Overlays, info: OverlayInfo): string {
  const nothing = {
    mobility: overlays.mobility.length === 0 && 'No legal move to count.',
    parity:
      overlays.parity.length === 0 &&
      'Nothing to count yet: parity matters in regions of twelve empty squares and fewer.',
    stability:
      overlays.stability.every((heat) => heat.intensity < SAFE_NOW) && 'No disc is safe yet.',
    corners: overlays.corners.length === 0 && 'No move opens or closes a corner now.',
    frontier: overlays.frontier.length === 0 && 'No frontier discs.',
  }[name];
  if (nothing) return nothing;
  const approximate = overlays.isApproximate && (name === 'mobility' || name === 'corners');
  return approximate ? `${info.legend} Approximate: most promising moves only.` : info.legend;
}

function cellsOf(name: OverlayName, overlays: Overlays): OverlayCell[] {
  switch (name) {
    case 'mobility':
      return overlays.mobility.map((heat) => ({
        ...weighted(heat),
        mark: 'ring',
        text: `${heat.own}:${heat.replies}`,
        spoken: `leaves you ${plural(heat.own, 'move')}, the opponent ${heat.replies}`,
      }));
    case 'parity':
      return overlays.parity.flatMap((region) => {
        const entries = new Set(region.mustMoveSoon);
        const spoken = `${region.isOdd ? 'odd' : 'even'} region of ${region.squares.length}`;
        return region.squares.map((square, index): OverlayCell => ({
          square,
          tint: region.isOdd ? 'orange' : 'sky',
          spoken: entries.has(square) ? `${spoken}, can be entered now` : spoken,
          ...(index === 0 ? { text: String(region.squares.length) } : {}),
          ...(entries.has(square) ? { mark: 'outline' } : {}),
        }));
      });
    case 'stability':
      return overlays.stability
        .filter((heat) => heat.intensity >= SAFE_NOW)
        .map((heat) => ({
          ...weighted(heat),
          mark: heat.intensity >= 1 ? 'shield' : 'maybe',
          spoken: heat.intensity >= 1 ? 'stable, proven' : 'safe as the board stands, not proven',
        }));
    case 'corners':
      return overlays.corners.map((arrow) => ({
        square: arrow.from,
        spoken: `${arrow.kind} ${nameOf(arrow.corner)} for ${sideName(arrow.side)}`,
      }));
    case 'frontier':
      return overlays.frontier.map((heat) => ({
        ...weighted(heat),
        mark: 'wave',
        text: String(heat.count),
        spoken: `frontier, ${plural(heat.count, 'empty square')} beside it`,
      }));
  }
}

function weighted(heat: Pick<Heat, 'square' | 'intensity'>): { square: number; weight: number } {
  return { square: heat.square, weight: Math.max(0, Math.min(1, heat.intensity)) };
}
