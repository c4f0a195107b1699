/**
 * Bytes that are kept. Node cuts small buffers out of blocks of 64 KB, and each part keeps its
 * whole block: a thousand hashes of 32 bytes, read one by one, would hold 64 MB.
 */

/** The same bytes, in memory that holds nothing else. */
export function detachBuffer(bytes: Buffer): Buffer {
  return bytes.buffer.byteLength === bytes.length ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
}
