// Says how much a browser has to fetch before the page can be used, and how much there is in all;
// fails if the first is too much. The first load is the document, what it names, and what those
// modules import without being asked; parts that are fetched on demand come on top.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const LIMIT_KB = 70;
const FETCHED = /\.(html|js|css|svg)$/;

const read = (file) => readFileSync(join('dist', file));
const size = (files) =>
    [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0) / 1000;

/** What a document names in its head. */
function named(html) {
    return [...html.matchAll(/(?:src|href)="\/?([^"]+\.(?:js|css|svg))"/g)].map((it) => it[1]);
}

/** What a module imports before it runs; `import(…)` is asked for later. */
function imported(file, code) {
    const found = code.matchAll(/(?:^|[;\s}])(?:import|from)\s*["'](\.[^"']+\.js)["']/g);
    return [...found].map((it) => normalize(join(dirname(file), it[1])));
}

const first = new Set(['index.html']);
const waiting = named(read('index.html').toString());
while (waiting.length > 0) {
    const file = waiting.pop();
    if (first.has(file)) continue;
    first.add(file);
    if (file.endsWith('.js')) waiting.push(...imported(file, read(file).toString()));
}

const all = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((it) =>
    FETCHED.test(it),
);
const kilobytes = size(first);
process.stdout.write(
    `first load ${kilobytes.toFixed(1)} kB gzip in ${first.size} files (at most ${LIMIT_KB}), ` +
        `in all ${size(all).toFixed(1)} kB in ${all.length} files\n`,
);
if (first.size < 3) {
    process.stderr.write('The first load has no script: the document is not read as it is.\n');
    process.exit(1);
}
if (kilobytes > LIMIT_KB) {
    process.stderr.write(`What the page loads at first has grown beyond ${LIMIT_KB} kB gzip.\n`);
    process.exit(1);
}
