// The position as a picture that stands alone: SVG text, and PNG made from it by the browser.

import { nameOf, type SquareIndex } from '../state/squares';

const CELL = 60;
const MARGIN = 30;
const SIZE = 8 * CELL + MARGIN + 10;

/** An SVG document of a board, without fonts or styles from elsewhere. */
export function boardSvg(discs: string, last: SquareIndex | null = null): string {
  const at = (square: SquareIndex) => ({
    x: MARGIN + (square % 8) * CELL + CELL / 2,
    y: MARGIN + Math.floor(square / 8) * CELL + CELL / 2,
  });
  const parts: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 ${SIZE} ${SIZE}">`,
    `<title>${titleOf(discs)}</title>`,
    `<rect width="${SIZE}" height="${SIZE}" rx="10" fill="#0b2a1e"/>`,
    `<rect x="${MARGIN}" y="${MARGIN}" width="${8 * CELL}" height="${8 * CELL}" fill="#1e5b41"/>`,
  ];
  let lines = '';
  for (let i = 0; i <= 8; i += 1) {
    const along = MARGIN + i * CELL;
    lines += `M${along} ${MARGIN}v${8 * CELL}M${MARGIN} ${along}h${8 * CELL}`;
  }
  parts.push(`<path d="${lines}" stroke="#0f3526" stroke-width="1.5" fill="none"/>`);
  for (const x of [2, 6]) {
    for (const y of [2, 6]) {
      parts.push(
        `<circle cx="${MARGIN + x * CELL}" cy="${MARGIN + y * CELL}" r="4" fill="#0f3526"/>`,
      );
    }
  }
  parts.push('<g font-family="sans-serif" font-size="15" text-anchor="middle" fill="#cfe3d8">');
  for (let i = 0; i < 8; i += 1) {
    const middle = MARGIN + i * CELL + CELL / 2;
    parts.push(`<text x="${middle}" y="20">${nameOf(i)[0]}</text>`);
    parts.push(`<text x="15" y="${middle + 5}">${i + 1}</text>`);
  }
  parts.push('</g>');
  [...discs].forEach((disc, square) => {
    if (disc !== 'X' && disc !== 'O') return;
    const { x, y } = at(square);
    const [fill, rim] = disc === 'X' ? ['#0d0f10', '#b9c0bc'] : ['#f7f7f2', '#1a1f1c'];
    parts.push(
      `<circle cx="${x}" cy="${y}" r="25" fill="${fill}" stroke="${rim}" stroke-width="1.5"/>`,
    );
  });
  if (last !== null) {
    const { x, y } = at(last);
    parts.push(
      `<circle cx="${x}" cy="${y}" r="6" fill="#f2a900" stroke="#1a1f1c" stroke-width="1.5"/>`,
    );
  }
  parts.push('</svg>');
  return parts.join('\n');
}

function titleOf(discs: string): string {
  const count = (disc: string) => [...discs].filter((it) => it === disc).length;
  return `Othello position, ${count('X')} black and ${count('O')} white discs`;
}

/** The same picture as PNG, with two pixels for each unit. */
export async function boardPng(svg: string, scale = 2): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = SIZE * scale;
    canvas.height = SIZE * scale;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('This browser cannot draw pictures.');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (blob === null) throw new Error('This browser cannot write PNG.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
