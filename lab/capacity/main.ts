/**
 * `npm run capacity`: the resources for a rate, and the waiting times on given machines. It only
 * computes and simulates; no gateway and no database is started.
 */
import { type Options, parseOptions, usage } from './options.ts';
import { planFor } from './plan.ts';
import { formatPlans, formatSimulated } from './report.ts';
import { simulate } from './simulate.ts';

const RATES = [100, 1_000, 10_000, 100_000];

const options = readOptions();
if (options.plan) {
  const plans = RATES.map((rate) => planFor(rate, options.setup.cost));
  print(plans, formatPlans(plans));
} else {
  const result = simulate(options.setup);
  print(result, formatSimulated(options.setup, result));
}

function print(data: object, text: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(data) : text}\n`);
}

function readOptions(): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
