/** A kept value holds only its own bytes, and not the larger buffer that it was cut from. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detachBuffer } from '../../src/core/detach-buffer.ts';

test('copies a part of a larger buffer, and returns a whole one unchanged', () => {
  const part = Buffer.from('of a pool');
  assert.ok(part.buffer.byteLength > part.length);
  const own = detachBuffer(part);
  assert.equal(own.toString(), 'of a pool');
  assert.equal(own.buffer.byteLength, own.length);
  assert.equal(detachBuffer(own), own);
});
