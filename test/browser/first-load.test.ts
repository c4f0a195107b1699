/** The size of what a browser loads for the first screen. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { missing } from './browser.ts';

const built = join(import.meta.dirname, '..', '..', 'console', 'dist');
const BYTES_MAX = 250_000;

test('the first load weighs less than 250 kB', { skip: missing() }, () => {
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name = '']) => name);
  assert.ok(named.length > 1);
  // The first screen is loaded with everything it needs.
  const start = named.find((name) => name.startsWith('assets/index-') && name.endsWith('.js')) ?? '';
  const overview = /assets\/overview-[\w-]+\.js/.exec(readFileSync(join(built, start), 'utf8'))?.[0] ?? '';
  const files = [...new Set([...named, overview])].map((name) => readFileSync(join(built, name)));
  const bytes = [Buffer.from(page), ...files].reduce((all, file) => all + gzipSync(file).length, 0);
  assert.ok(bytes < BYTES_MAX, `${bytes} bytes`);
});
