/**
 * Loaded into a gateway before its program: JavaScript's wall clock is ahead by the milliseconds in
 * the file `OJA_CHAOS_CLOCK`. Monotonic clocks and timers are unchanged, as when a machine's clock
 * is set.
 */
import { readFileSync } from 'node:fs';

const LOOK_MS = 50;
const path = process.env.OJA_CHAOS_CLOCK ?? '';
const Machine = Date;
let aheadMs = 0;

const look = (): void => {
  try {
    aheadMs = Number(readFileSync(path, 'utf8')) || 0;
  } catch {
    aheadMs = 0;
  }
};
look();
setInterval(look, LOOK_MS).unref();

globalThis.Date = new Proxy(Machine, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + aheadMs] : args, newTarget),
  apply: (target) => new target(target.now() + aheadMs).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + aheadMs : Reflect.get(target, name, receiver),
});
