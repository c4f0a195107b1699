/** Commands of providers: their state, credentials, routes and floats. */
import { CommandError } from '../command-error.ts';
import type { CommandTable } from '../operation-command.ts';
import { readText } from '../read-file.ts';

export const providerCommands = {
  'provider.list': {
    examples: ['provider list', 'provider list --json'],
    columns: [
      'provider',
      'connector',
      'environment',
      'health',
      'five_minutes.success_percent',
      'hour.success_percent',
      'thirty_days.success_percent',
      'thirty_days.cost_percent',
      'thirty_days.grade',
      'limiter.calls',
      'limiter.waiting',
      'breaker.state',
      'last_answer.what',
      'float.amount',
      'pending.to_send',
      'pending.to_ask',
    ],
  },
  'provider.show': ['provider show vtpass'],
  'provider.add': {
    arguments: ['connector', 'name'],
    examples: ['provider add vtpass vtpass-lagos'],
  },
  'provider.rename': {
    arguments: ['provider', 'name'],
    examples: ['provider rename vtpass-lagos vtpass-ikeja'],
  },
  'provider.remove': ['provider remove vtpass-lagos --yes'],
  'provider.success': {
    examples: ['provider success', 'provider success --by route --json'],
    columns: [
      'provider',
      'environment',
      'product',
      'network',
      'hour.success_rate',
      'day.success_rate',
      'day.successes',
      'day.failures',
      'latency_p95_ms',
    ],
  },
  'provider.pause': [
    'provider pause vtpass --reason "they are under maintenance until noon"',
    'provider pause vtpass --product airtime --network MTN --reason "MTN fails there"',
  ],
  'provider.resume': ['provider resume vtpass', 'provider resume vtpass --product airtime --network MTN'],
  'provider.set_credentials': {
    flags: { values: '--file <path>' },
    examples: [
      'provider set-credentials vtpass --file vtpass.env',
      'provider set-credentials vtpass --file -',
    ],
    // Not from the arguments, because other users of the machine can see them.
    files: { values: readValues },
  },
  'provider.restore_credentials': [
    'provider restore-credentials vtpass',
    'provider restore-credentials vtpass --force',
  ],
  'provider.test': {
    examples: ['provider test vtpass'],
    isWrong: ({ answered }) => !answered,
  },
  'route.list': ['route list'],
  'route.set': {
    arguments: ['environment', 'product', 'network', 'providers'],
    examples: [
      'route set live airtime MTN vtpass',
      "route set live data '*' vtpass",
      'route set live airtime MTN vtpass,nomba --share vtpass=70,nomba=30',
      'route set live airtime MTN vtpass,nomba --strategy balanced',
    ],
    flags: { share: '--share <provider=weight,…>' },
    prepare: async ({ providers, share, ...input }) => ({
      ...input,
      providers: splitAtCommas(providers),
      ...(share !== undefined && { share: readShares(String(share)) }),
    }),
  },
  'route.remove': ['route remove live airtime MTN --yes'],
  'float.list': {
    examples: ['float list', 'float list --json'],
    columns: [
      'provider',
      'expected',
      'reported.amount',
      'reported.currency',
      'under_way',
      'difference',
      'differs',
      'runway.hours',
    ],
  },
  'float.show': ['float show vtpass'],
  'float.top_up': {
    arguments: ['provider', 'amount'],
    flags: { bank: '--from <bank>' },
    examples: [
      'float top-up vtpass 500000 --reference FT26326-0042 --key transfer-0042',
      'float top-up esimaccess 500 --currency USD --naira 772500 --reason "card of 22 Nov"',
    ],
  },
  'float.charge': {
    arguments: ['provider', 'amount'],
    examples: ['float charge vtpass 52.50 --reason "SMS alerts of November" --reference 1764000000001'],
  },
  'float.set_alarm': [
    'float set-alarm vtpass --hours 12',
    'float set-alarm vtpass --hours 12 --amount 250000 --pause-below 5000',
  ],
} satisfies CommandTable;

async function readValues(path: string): Promise<Record<string, string>> {
  return readSettingLines(await readText(path));
}

/**
 * Reads settings from lines of NAME=value. Skips blank lines and comments, and removes quotes
 * around a value. Its error names the line and never quotes it, because it may contain a secret.
 */
function readSettingLines(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name, value] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)=(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new CommandError('file_malformed', `line ${index + 1} must be NAME=value`);
    }
    values[name] = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
  }
  return values;
}

/** Accepts several providers in one argument or in several. */
function splitAtCommas(typed: unknown): unknown {
  return Array.isArray(typed) ? typed.flatMap((names) => String(names).split(',')).map(trim) : typed;
}

function trim(name: string): string {
  return name.trim();
}

/** Leaves a malformed weight as text, so that the operation refuses it. */
function readShares(typed: string): Record<string, unknown> {
  return Object.fromEntries(
    typed.split(',').map((part) => {
      const [name = '', weight = ''] = part.split('=').map(trim);
      return [name, /^[0-9]{1,4}$/.test(weight) ? Number(weight) : weight];
    }),
  );
}
