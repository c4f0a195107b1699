/**
 * Values in PostgreSQL's binary format, one after the other, in a buffer that grows. Numbers that
 * do not fit are refused, never cut.
 */

const ASCII_LOOP_MAX = 32;
const MICROSECONDS_PER_MS = 1_000n;
/** PostgreSQL counts from 2000-01-01 UTC. */
const EPOCH_MS = BigInt(Date.UTC(2000, 0, 1));

export class WireWriter {
  #bytes = Buffer.allocUnsafe(65_536);
  #at = 0;

  /** Forgets what was written. */
  begin(): void {
    this.#at = 0;
  }

  /** What was written. It is the writer's own memory, and valid until the next `begin`. */
  end(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  int16(value: number): void {
    if ((value << 16) >> 16 !== value) throw new RangeError(`not a smallint: ${value}`);
    this.#reserve(2);
    this.#at = this.#bytes.writeInt16BE(value, this.#at);
  }

  int32(value: number): void {
    if ((value | 0) !== value) throw new RangeError(`not an integer: ${value}`);
    this.#reserve(4);
    this.#putInt32(this.#at, value);
    this.#at += 4;
  }

  int64(value: bigint): void {
    this.#reserve(8);
    this.#at = this.#bytes.writeBigInt64BE(value, this.#at);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at] = value;
    this.#at += 1;
  }

  timestamp(value: Date): void {
    this.int64((BigInt(value.getTime()) - EPOCH_MS) * MICROSECONDS_PER_MS);
  }

  uuid(value: string): void {
    this.#reserve(16);
    const hex = value.replaceAll('-', '');
    if (hex.length !== 32 || this.#bytes.write(hex, this.#at, 'hex') !== 16) {
      throw new RangeError(`not a UUID: ${value}`);
    }
    this.#at += 16;
  }

  /** In UTF-8. Half a surrogate pair cannot be encoded, and is refused. */
  text(value: string): void {
    this.#reserve(value.length * 3);
    if (value.length <= ASCII_LOOP_MAX && this.#putAscii(value)) return;
    if (!value.isWellFormed()) throw new RangeError('not a text: it has half a surrogate pair');
    this.#at += this.#bytes.write(value, this.#at);
  }

  /** Leaves room for the length of what comes next; `endSized` fills it in. */
  beginSized(): number {
    this.#reserve(4);
    this.#at += 4;
    return this.#at;
  }

  endSized(begin: number): void {
    this.#putInt32(begin - 4, this.#at - begin);
  }

  /** Most texts are short. For these a call into the runtime costs more than the loop. */
  #putAscii(value: string): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return false;
      bytes[at + index] = code;
    }
    this.#at = at + value.length;
    return true;
  }

  #putInt32(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
