/**
 * Copies long-lived bytes into separate memory. Node allocates small buffers from blocks of 64 KB,
 * and each keeps its block alive: a thousand hashes of 32 bytes, read one by one, would hold 64 MB.
 */
export function detachBuffer(bytes: Buffer): Buffer {
  return bytes.buffer.byteLength === bytes.length ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
}
