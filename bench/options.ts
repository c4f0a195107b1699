/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util';

export const scenarioNames = [
  ...['throughput', 'together', 'latency', 'load', 'pressures'],
  ...['bills', 'async', 'history', 'cost', 'bounds'],
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

export type Options = {
  readonly scenarios: readonly ScenarioName[];
  /** The scale of everything: a few seconds as a check, or meaningful figures. */
  readonly quick: boolean;
  /** Runs the load for at least five minutes where memory is watched. */
  readonly long: boolean;
  /** Prints JSON instead of the table. */
  readonly json: boolean;
  /** The length of a round in seconds. Default: that of the scale. */
  readonly seconds: number | undefined;
  /** Draws the results, even if only some scenarios ran. */
  readonly draw: boolean;
  /** Purchases of the large history. Default: those of the scale. */
  readonly purchases: number | undefined;
  /** Where the gateways write CPU profiles. */
  readonly profileDir: string | undefined;
};

export const usage = `usage: npm run bench -- [scenario…] [options]

scenarios: ${scenarioNames.join(', ')} (default: all)

  --quick         small counts, a few seconds: shows that it works, measures nothing
  --long          load for five minutes where memory is watched
  --seconds N     length of a round
  --profile DIR   let the gateways write CPU profiles there
  --draw          draw into docs/bench what was measured, also of a part of the scenarios
  --purchases N       purchases of the large history (default 1,000,000)
  --json          print JSON instead of the table
`;

/** Throws an error with a message for people. */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      profile: { type: 'string' },
      draw: { type: 'boolean', default: false },
      purchases: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !isScenarioName(name));
  if (unknown !== undefined) throw new Error(`there is no scenario "${unknown}"`);
  const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
  if (seconds !== undefined && !(seconds > 0 && seconds <= 3_600)) {
    throw new Error('--seconds must be a number above 0, at most 3600');
  }
  const purchases = values.purchases === undefined ? undefined : Number(values.purchases);
  if (purchases !== undefined && !(Number.isInteger(purchases) && purchases >= 1_000)) {
    throw new Error('--purchases must be a whole number of at least 1000');
  }
  return {
    scenarios: scenarioNames.filter((name) => positionals.length === 0 || positionals.includes(name)),
    quick: values.quick,
    long: values.long,
    json: values.json,
    seconds,
    profileDir: values.profile,
    draw: values.draw,
    purchases,
  };
}

function isScenarioName(text: string): text is ScenarioName {
  return (scenarioNames as readonly string[]).includes(text);
}
