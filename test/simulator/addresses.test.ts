/** The addresses that the simulator prints: each answers, and the page has the same. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { ADDRESSES } from '../../simulator/addresses.ts';
import { ask } from './ask.ts';
import { openBench } from './bench.ts';

describe('the addresses of the simulator', () => {
  it('refuses a call without keys in its own format', async () => {
    await using bench = await openBench();
    for (const { path } of ADDRESSES) {
      const { status, text } = await ask(`${bench.url()}${path}/nothing`);
      assert.ok(status < 500 && text !== '', `${path}: ${status} ${text}`);
    }
  });

  it('its page has each address with its keys', async () => {
    const page = await readFile(new URL('../../docs/maintainers/simulator.md', import.meta.url), 'utf8');
    for (const { path, keys } of ADDRESSES) {
      const row = page.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${path}\``));
      assert.ok(row, path);
      for (const key of keys.replace('login ', '').split(', ')) assert.ok(row.includes(key), key);
    }
  });
});
