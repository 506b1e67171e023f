// The tree of moves as lines to read: the main line, and below each branching its variations.

import type { GameKind, Node } from '../api/wire';

export interface MoveBlock {
  /** 0 is the main line; each variation inside another is one deeper. */
  level: number;
  /** Moves in order, passes included. */
  moves: Node[];
}

/** Blocks in reading order. A block ends where variations follow, and goes on after them. */
export function moveBlocks(tree: readonly Node[]): MoveBlock[] {
  const byId = new Map(tree.map((node) => [node.id, node]));
  const root = tree[0];
  const blocks: MoveBlock[] = [];
  if (root) follow(root, 0);
  return blocks;

  function follow(from: Node, level: number, first?: Node): void {
    let block: MoveBlock = { level, moves: first ? [first] : [] };
    if (first) blocks.push(block);
    let at = first ?? from;
    for (;;) {
      const [next, ...others] = at.children.flatMap((id) => byId.get(id) ?? []);
      if (!next) return;
      if (block.moves.length === 0) blocks.push(block);
      block.moves.push(next);
      if (others.length > 0) {
        for (const other of others) follow(at, level + 1, other);
        block = { level, moves: [] };
      }
      at = next;
    }
  }
}

/** How a move is written in the list: `12. c4?!`, a pass without number. */
export function moveText(node: Node): string {
  const move = node.move === 'ps' ? 'pass' : (node.text ?? node.move ?? 'start');
  return `${move}${node.glyphs.join('')}`;
}

/** The number before a move. In chess Black's moves have one only where a line begins. */
export function numberText(node: Node, game: GameKind, isFirst: boolean): string {
  if (node.number === null) return '';
  if (game === 'othello') return String(node.number);
  if (node.side === 'white') return `${node.number}.`;
  return isFirst ? `${node.number}\u2026` : '';
}

/** What a voice adds to the number and the move that are seen: who made it, and where it stands. */
export function moveSpoken(node: Node): string {
  const side = node.side === 'black' ? 'Black' : 'White';
  return `${side}${node.isMain ? '' : ', variation'}`;
}
