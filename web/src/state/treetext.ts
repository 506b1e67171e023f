// The whole tree of moves as text: numbers, variations in brackets, signs, notes in braces. People
// and most programs that show games can read it.

import type { Node, SessionView } from '../api/wire';

export function treeText(session: Pick<SessionView, 'tree'>): string {
  const byId = new Map(session.tree.map((node) => [node.id, node]));
  const root = session.tree[0];
  if (!root) return '';
  const start = root.comment ? [`{${note(root)}}`] : [];
  return [...start, ...behind(root)].join(' ');

  /** The moves behind a place: the first child, the other children in brackets, and so on. */
  function behind(from: Node): string[] {
    const words: string[] = [];
    let at = from;
    for (;;) {
      const [next, ...others] = at.children.flatMap((id) => byId.get(id) ?? []);
      if (!next) return words;
      words.push(...one(next));
      for (const other of others) {
        words.push(`(${[...one(other), ...behind(other)].join(' ')})`);
      }
      at = next;
    }
  }
}

function one(node: Node): string[] {
  const move = `${node.move}${node.glyphs.join('')}`;
  const numbered = node.number === null ? move : `${node.number}. ${move}`;
  return node.comment ? [numbered, `{${note(node)}}`] : [numbered];
}

/** A brace would end the note too early. */
function note(node: Node): string {
  return (node.comment ?? '').replaceAll('{', '(').replaceAll('}', ')').replaceAll('\n', ' ');
}
