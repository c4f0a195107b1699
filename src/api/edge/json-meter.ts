/**
 * Counts the levels and members of a JSON text while it arrives, so that a body that would keep the
 * process busy is refused before it is parsed. Keeps no bytes.
 */

export type JsonLimits = {
  readonly depthMax: number;
  /** The members of objects and the items of arrays, over all levels. */
  readonly membersMax: number;
};

export type JsonExcess = 'too_deep' | 'too_many_members';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const openers: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closers: ReadonlySet<number> = new Set([0x5d, 0x7d]);

export class JsonMeter {
  readonly #limits: JsonLimits;
  #depth = 0;
  /**
   * Counts one for each comma and each object or array, which is never less than the true number.
   */
  #members = 0;
  #inString = false;
  #escaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Reads the next bytes. Returns the limit that they exceed, if any. */
  read(bytes: Uint8Array): JsonExcess | undefined {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#inString) {
        at = this.#skipString(bytes, at);
        continue;
      }
      if (byte === QUOTE) this.#inString = true;
      else if (byte === COMMA) this.#members += 1;
      else if (openers.has(byte)) {
        this.#depth += 1;
        this.#members += 1;
      } else if (closers.has(byte)) this.#depth -= 1;
      if (this.#depth > this.#limits.depthMax) return 'too_deep';
      if (this.#members > this.#limits.membersMax) return 'too_many_members';
    }
    return undefined;
  }

  /** The position of the last byte that was read. */
  #skipString(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      if (this.#escaped) this.#escaped = false;
      else if (bytes[at] === BACKSLASH) this.#escaped = true;
      else if (bytes[at] === QUOTE) {
        this.#inString = false;
        return at;
      }
    }
    return bytes.length;
  }
}
