// Notes of the user, read as Markdown into plain data. Views draw it; nothing becomes HTML.

export type Inline =
  | { type: 'text' | 'strong' | 'em' | 'code'; text: string }
  | { type: 'link'; text: string; href: string };

export type Block =
  | { type: 'paragraph' | 'heading' | 'quote'; parts: Inline[] }
  | { type: 'list'; ordered: boolean; items: Inline[][] }
  | { type: 'code'; text: string };

const INLINE =
  /\*\*(?<strong>[^*]+)\*\*|__(?<strong2>[^_]+)__|\*(?<em>[^*\s][^*]*)\*|_(?<em2>[^_\s][^_]*)_|`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<href>https?:\/\/[^\s)]+)\)/g;

/** The parts of a line. Addresses other than those of the web stay text. */
export function inline(text: string): Inline[] {
  const parts: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) parts.push({ type: 'text', text: text.slice(at, match.index) });
    at = match.index + match[0].length;
    const { strong, strong2, em, em2, code, label, href } = match.groups ?? {};
    const [loud, soft] = [strong ?? strong2, em ?? em2];
    if (loud !== undefined) parts.push({ type: 'strong', text: loud });
    else if (soft !== undefined) parts.push({ type: 'em', text: soft });
    else if (code !== undefined) parts.push({ type: 'code', text: code });
    else if (label !== undefined && href !== undefined) {
      parts.push({ type: 'link', text: label, href });
    }
  }
  if (at < text.length) parts.push({ type: 'text', text: text.slice(at) });
  return parts;
}

const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;

/** A note as blocks. */
export function markdown(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) blocks.push({ type: 'paragraph', parts: inline(lines.join(' ')) });
    lines = [];
  };
  let fence: string[] | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (line.trimStart().startsWith('```')) {
      if (fence === null) {
        flush();
        fence = [];
      } else {
        blocks.push({ type: 'code', text: fence.join('\n') });
        fence = null;
      }
      continue;
    }
    if (fence !== null) {
      fence.push(line);
      continue;
    }
    const item = ITEM.exec(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    const quote = /^>\s?(.*)$/.exec(line);
    if (line.trim() === '') {
      flush();
    } else if (item) {
      flush();
      const ordered = item[1] !== undefined;
      const last = blocks.at(-1);
      const parts = inline(item[2] ?? '');
      if (last?.type === 'list' && last.ordered === ordered) last.items.push(parts);
      else blocks.push({ type: 'list', ordered, items: [parts] });
    } else if (heading || quote) {
      flush();
      const type = heading ? 'heading' : 'quote';
      blocks.push({ type, parts: inline((heading ?? quote)?.[1] ?? '') });
    } else {
      lines.push(line.trim());
    }
  }
  if (fence !== null) blocks.push({ type: 'code', text: fence.join('\n') });
  flush();
  return blocks;
}
