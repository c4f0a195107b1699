/** The command line of `npm run capacity`. */
import { parseArgs } from 'node:util';
import { type Cost, measured } from './measured.ts';
import type { Provider, Setup } from './simulate.ts';

export type Options = { readonly setup: Setup; readonly plan: boolean; readonly json: boolean };

export const usage = `usage: npm run capacity -- --rate R [options]
       npm run capacity -- --clients N [options]
       npm run capacity -- --plan

  --rate R                purchases a second, each at a time of its own
  --clients N             clients that each wait for their answer, instead of a rate
  --plan                  what 100, 1,000, 10,000 and 100,000 a second need, by division

  --gateways N            gateway processes, a core each (default 2)
  --cores N               cores of PostgreSQL (default 4)
  --one-machine           gateways, PostgreSQL and clients share those cores
  --wallets N             wallets that buy, all alike (default 1,000)
  --sticky                the load balancer gives a merchant's purchases to one gateway
  --provider-ms MS        what a purchase at the provider takes, the median (default 0: the sandbox)
  --provider-p99-ms MS    its p99 (default: three times the median)
  --provider-at-once N    how many the provider takes at once (default 1,000)
  --purchases N           purchases to simulate (default 50,000)
  --seed N                another seed gives other chance (default 1)
  --gateway-us, --money-us, --background-us, --flush-us
                          what a purchase costs, as \`npm run bench -- cost\` measured it
  --json                  print JSON
`;

const flags = { plan: { type: 'boolean' }, 'one-machine': { type: 'boolean' } } as const;
const more = { sticky: { type: 'boolean' }, json: { type: 'boolean' } } as const;
const text = { type: 'string' } as const;

/** Throws an error with a message for people. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...flags,
      ...more,
      rate: text,
      clients: text,
      gateways: text,
      cores: text,
      wallets: text,
      'provider-ms': text,
      'provider-p99-ms': text,
      'provider-at-once': text,
      purchases: text,
      seed: text,
      'gateway-us': text,
      'money-us': text,
      'background-us': text,
      'flush-us': text,
    },
  });
  type Name = keyof typeof values;
  const number = (name: Name, standard: number, least: number, most: number): number => {
    const given = values[name];
    const value = given === undefined ? standard : Number(given);
    if (!(value >= least && value <= most)) {
      throw new Error(`--${name} must be a number from ${least} to ${most}`);
    }
    return value;
  };
  const whole = (name: Name, standard: number, most: number): number => {
    const value = number(name, standard, 1, most);
    if (!Number.isInteger(value)) throw new Error(`--${name} must be a whole number`);
    return value;
  };
  const p50Ms = number('provider-ms', 0, 0, 600_000);
  const provider: Provider | undefined =
    p50Ms === 0
      ? undefined
      : {
          p50Ms,
          p99Ms: number('provider-p99-ms', p50Ms * 3, p50Ms, 600_000),
          atOnce: whole('provider-at-once', 1_000, 10_000_000),
        };
  if (values.rate !== undefined && values.clients !== undefined) {
    throw new Error('--rate and --clients exclude each other');
  }
  if (values.rate === undefined && values.clients === undefined && values.plan !== true) {
    throw new Error('--rate, --clients or --plan is needed');
  }
  return {
    plan: values.plan ?? false,
    json: values.json ?? false,
    setup: {
      cost: costOf(number),
      load:
        values.clients === undefined
          ? { perSecond: number('rate', 100, 0.1, 1_000_000) }
          : { clients: whole('clients', 256, 100_000) },
      purchases: whole('purchases', 50_000, 10_000_000),
      gateways: whole('gateways', 2, 10_000),
      databaseCores: whole('cores', 4, 10_000),
      isOneMachine: values['one-machine'] ?? false,
      wallets: whole('wallets', 1_000, 1_000_000),
      isSticky: values.sticky ?? false,
      provider,
      seed: whole('seed', 1, 2 ** 31),
    },
  };
}

type ReadNumber = (
  name: 'gateway-us' | 'money-us' | 'background-us' | 'flush-us',
  standard: number,
  least: number,
  most: number,
) => number;

function costOf(number: ReadNumber): Cost {
  return {
    ...measured,
    gatewayUs: number('gateway-us', measured.gatewayUs, 1, 1_000_000),
    moneyUs: number('money-us', measured.moneyUs, 1, 1_000_000),
    backgroundUs: number('background-us', measured.backgroundUs, 0, 1_000_000),
    flushUs: number('flush-us', measured.flushUs, 0, 1_000_000),
  };
}
