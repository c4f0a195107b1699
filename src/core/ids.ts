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
export const newId: IdSource = () => generator.generate().toString();

/** Creates ids of another time: they begin with the milliseconds that `nowMs` returns. */
export function idsAt(nowMs: () => number): IdSource {
  const played = new V7Generator(source);
  played.setRollbackAllowance(0);
  return () => played.generateOrResetWithTs(nowMs()).toString();
}

/** The least id, where a walk through ids begins. */
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
