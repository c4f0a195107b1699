/** The command line of `npm run chaos`. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const faultKinds = [
  ...['kill-gateway', 'kill-worker', 'kill-all', 'freeze-gateway', 'freeze-worker'],
  ...['kill-database', 'stop-database', 'kill-session', 'freeze-database'],
  ...['cut-wires', 'slow-wires', 'half-open-wires', 'lost-wires'],
  ...['full-disk', 'set-clock', 'kill-provider', 'lying-provider', 'upgrade'],
] as const;
export type FaultKind = (typeof faultKinds)[number];

export type Options = {
  readonly faults: number;
  readonly seed: number;
  /** No fault strikes later than this after the first. */
  readonly minutes: number;
  /** The faults to draw from. */
  readonly kinds: readonly FaultKind[];
  /** How many clients share one wallet, and how many have their own. */
  readonly hot: number;
  readonly spread: number;
  /** A checkout of another version, whose gateways run during the first half. */
  readonly beforeDir: string | undefined;
  /** Print JSON instead of the table. */
  readonly json: boolean;
};

const MINUTES_MAX = 10_080;

export const usage = `usage: npm run chaos -- [options]

  --faults N      how many (default 100; 1,000 take about an hour)
  --minutes M     no fault strikes later than this after the first
  --seed S        repeats a run's faults (default: the time)
  --only A,B      faults of these kinds alone: ${faultKinds.join(', ')}
  --hot N         clients of one wallet (default 12)
  --spread N      clients with a wallet each (default 12)
  --before DIR    gateways of the checkout in DIR serve first, and are upgraded at the half
  --json          print JSON instead of the table
`;

/** Throws an error with a message for people. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      faults: { type: 'string', default: '100' },
      seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000) % 1_000_000) },
      minutes: { type: 'string', default: String(MINUTES_MAX) },
      only: { type: 'string', default: faultKinds.join(',') },
      hot: { type: 'string', default: '12' },
      spread: { type: 'string', default: '12' },
      before: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  return {
    faults: readCount('--faults', values.faults, 1, 100_000),
    seed: readCount('--seed', values.seed, 0, 4_294_967_295),
    minutes: readCount('--minutes', values.minutes, 1, MINUTES_MAX),
    kinds: readKinds(values.only),
    hot: readCount('--hot', values.hot, 1, 500),
    spread: readCount('--spread', values.spread, 0, 500),
    beforeDir: values.before === undefined ? undefined : resolve(values.before),
    json: values.json,
  };
}

function readKinds(text: string): FaultKind[] {
  const names = text.split(',');
  const unknown = names.find((name) => !(faultKinds as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`there is no fault "${unknown}"`);
  return faultKinds.filter((kind) => names.includes(kind));
}

function readCount(name: string, text: string, min: number, max: number): number {
  const count = Number(text);
  if (/^[0-9]+$/.test(text) && count >= min && count <= max) return count;
  throw new Error(`${name} must be a whole number from ${min} to ${max}`);
}
