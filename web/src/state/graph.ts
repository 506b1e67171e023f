// Geometry of the value graph: values by ply in, coordinates and a path out.

export interface GraphPoint {
  ply: number;
  /** Centidiscs as Black sees them; null where nothing has been analysed. */
  value: number | null;
  /** Chess: moves to a forced mate; its value is larger than any scale. */
  mate?: number | null;
  solved: boolean;
  /** Whether it comes from a first look: drawn as dots until it was looked at properly. */
  isGuess?: boolean;
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
  paths: { d: string; isGuess: boolean }[];
  dots: { ply: number; x: number; y: number; solved: boolean }[];
  /** Where exact values begin, if the line ends in them. */
  solvedFrom: number | null;
  x: (ply: number) => number;
}

const BOUNDS = [4, 8, 16, 32, 64];

export function graphOf(points: readonly GraphPoint[], lastPly: number, box: GraphBox): Graph {
  // A mate lies at the edge; were it part of the scale, everything else would be flat.
  const counted = points.filter((it) => (it.mate ?? null) === null);
  const largest = Math.max(0, ...counted.map((it) => Math.abs(it.value ?? 0))) / 100;
  const bound = BOUNDS.find((it) => largest <= it) ?? 64;
  const inner = box.height - box.top - box.bottom;
  const span = Math.max(1, lastPly);
  const x = (ply: number) =>
    round(box.left + (Math.min(ply, span) / span) * (box.width - box.left - box.right));
  const y = (value: number) => {
    const share = Math.max(-1, Math.min(1, value / 100 / bound));
    return round(box.top + (inner * (1 - share)) / 2);
  };
  const paths: Graph['paths'] = [];
  const dots: Graph['dots'] = [];
  let run: string[] = [];
  let before: GraphPoint | null = null;
  let isGuess = false;
  const finish = () => {
    if (run.length > 1) paths.push({ d: `M${run.join('L')}`, isGuess });
    run = [];
  };
  for (const point of points) {
    if (point.value === null) continue;
    const at = { ply: point.ply, x: x(point.ply), y: y(point.value), solved: point.solved };
    dots.push(at);
    if (before !== null && point.ply !== before.ply + 1) finish();
    // The way between two positions is as sure as the less sure of them.
    const now: boolean = (point.isGuess ?? false) || (before?.isGuess ?? false);
    if (run.length > 1 && now !== isGuess) {
      const last = run.at(-1)!;
      finish();
      run = [last];
    }
    if (run.length > 0) isGuess = now;
    before = point;
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

/** The letters of the graph are about so wide at most. */
const LETTER_PX = 6.9;

/** The first of some texts, longest first, that has room; the empty one always has. */
export function fitting(texts: readonly string[], px: number): string {
  return texts.find((it) => it.length * LETTER_PX <= px) ?? '';
}

/** The ply under a pointer. */
export function plyAt(x: number, lastPly: number, box: GraphBox): number {
  const share = (x - box.left) / (box.width - box.left - box.right);
  return Math.max(0, Math.min(lastPly, Math.round(share * Math.max(1, lastPly))));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
