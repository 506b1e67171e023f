// Geometry of the value graph: values by ply in, coordinates and a path out.

export interface GraphPoint {
  ply: number;
  /** Centidiscs as Black sees them; null where nothing has been analysed. */
  value: number | null;
  solved: boolean;
}

export interface GraphBox {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Graph {
  /** Discs at the top edge of the scale. */
  bound: number;
  zero: number;
  /** Runs of analysed plies; a gap is drawn as a gap, never bridged by a guess. */
  paths: string[];
  dots: { ply: number; x: number; y: number; solved: boolean }[];
  /** Where exact values begin, if the line ends in them. */
  solvedFrom: number | null;
  x: (ply: number) => number;
}

const BOUNDS = [4, 8, 16, 32, 64];

export function graphOf(points: readonly GraphPoint[], lastPly: number, box: GraphBox): Graph {
  const largest = Math.max(0, ...points.map((it) => Math.abs(it.value ?? 0))) / 100;
  const bound = BOUNDS.find((it) => largest <= it) ?? 64;
  const inner = box.height - box.top - box.bottom;
  const span = Math.max(1, lastPly);
  const x = (ply: number) =>
    round(box.left + (Math.min(ply, span) / span) * (box.width - box.left - box.right));
  const y = (value: number) => {
    const share = Math.max(-1, Math.min(1, value / 100 / bound));
    return round(box.top + (inner * (1 - share)) / 2);
  };
  const paths: string[] = [];
  const dots: Graph['dots'] = [];
  let run: string[] = [];
  let before: number | null = null;
  const finish = () => {
    if (run.length > 1) paths.push(`M${run.join('L')}`);
    run = [];
  };
  for (const point of points) {
    if (point.value === null) continue;
    if (before !== null && point.ply !== before + 1) finish();
    before = point.ply;
    const at = { ply: point.ply, x: x(point.ply), y: y(point.value), solved: point.solved };
    dots.push(at);
    run.push(`${at.x} ${at.y}`);
  }
  finish();
  return { bound, zero: y(0), paths, dots, solvedFrom: solvedFrom(points), x };
}

/** The first ply of the unbroken run of solved values at the end of the analysed part. */
function solvedFrom(points: readonly GraphPoint[]): number | null {
  let from: number | null = null;
  for (const point of points.toReversed()) {
    if (point.value === null) continue;
    if (!point.solved) break;
    from = point.ply;
  }
  return from;
}

/** The ply under a pointer. */
export function plyAt(x: number, lastPly: number, box: GraphBox): number {
  const share = (x - box.left) / (box.width - box.left - box.right);
  return Math.max(0, Math.min(lastPly, Math.round(share * Math.max(1, lastPly))));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
