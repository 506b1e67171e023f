// Says how much a browser has to fetch for the page, and fails if that is too much.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const LIMIT_KB = 70;
const FETCHED = /\.(html|js|css|svg)$/;

const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((it) =>
    FETCHED.test(it),
);
const bytes = files.reduce(
    (sum, file) => sum + gzipSync(readFileSync(join('dist', file))).length,
    0,
);
const kilobytes = bytes / 1000;
process.stdout.write(
    `${files.length} files, ${kilobytes.toFixed(1)} kB gzip in all (at most ${LIMIT_KB})\n`,
);
if (kilobytes > LIMIT_KB) {
    process.stderr.write(`The page has grown beyond ${LIMIT_KB} kB gzip.\n`);
    process.exit(1);
}
