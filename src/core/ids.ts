/**
 * Identifiers: UUIDs that sort by the time they were made, so that new rows land at the end of an
 * index.
 */
import { V7Generator } from 'uuidv7';

export type IdSource = () => string;

/** Random numbers are drawn in bulk: one draw costs more than an id. */
const random = new Uint32Array(1_024);
let used = random.length;

const source = {
  nextUint32: () => {
    if (used === random.length) {
      crypto.getRandomValues(random);
      used = 0;
    }
    const value = random[used] ?? 0;
    used += 1;
    return value;
  },
};

const generator = new V7Generator(source);

/** Returns a new id. The ids of one process ascend, also within a millisecond. */
export const newId: IdSource = () => toText(generator.generate());

/** Creates ids of another time: they begin with the milliseconds that `nowMs` returns. */
export function idsAt(nowMs: () => number): IdSource {
  const played = new V7Generator(source);
  played.setRollbackAllowance(0);
  return () => toText(played.generateOrResetWithTs(nowMs()));
}

/** The ASCII codes of the first and the second digit of each byte. */
const firstDigit = Uint8Array.from({ length: 256 }, (_, byte) => '0123456789abcdef'.charCodeAt(byte >> 4));
const secondDigit = Uint8Array.from({ length: 256 }, (_, byte) => '0123456789abcdef'.charCodeAt(byte & 15));
/** The offset of each byte's digits. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const written = Buffer.alloc(36, '-');

/**
 * The text of an id. The library appends one character after the other: an id then takes 0.42 µs
 * and 1,420 bytes, in place of 0.18 µs and 350 bytes.
 */
function toText({ bytes }: { readonly bytes: Readonly<Uint8Array> }): string {
  for (let index = 0; index < places.length; index += 1) {
    const byte = bytes[index] ?? 0;
    const place = places[index] ?? 0;
    written[place] = firstDigit[byte] ?? 0;
    written[place + 1] = secondDigit[byte] ?? 0;
  }
  return written.toString('latin1');
}

/** The lowest id, where an iteration over ids begins. */
export const leastId = '00000000-0000-0000-0000-000000000000';
export const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether the text is a UUID as Oja writes it: lower case, with hyphens. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns the time of creation, which an id begins with, in milliseconds. */
export function madeAtMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
