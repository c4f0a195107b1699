/**
 * The simulator's settings, from the environment. Guarantees: every error is reported at once, and
 * no value is guessed.
 */
import { parseNaira } from './naira.ts';

export type Settings = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Folder of the books. */
  readonly folder: string;
  /** Added to every provider call. */
  readonly latencyMs: number;
  /** How long a call that "times out" is held before its connection is cut. */
  readonly timeoutMs: number;
  /**
   * The gateway's hooks without a provider's name: where providers and banks send their callbacks
   * and notices. Undefined sends nothing.
   */
  readonly hooksUrl: string | undefined;
  /** How long Paystack takes to open an account. */
  readonly assignMs: number;
  /** How long eSIM Access takes to allocate a profile. */
  readonly allocateMs: number;
  /** How long an access token of Nomba, Monnify or Reloadly is valid. */
  readonly tokenLifeMs: number;
  /** Refuse the same service and recipient within 30 seconds, as VTpass does. */
  readonly nearDuplicates: boolean;
  /** The float at each provider at the start of the books, in kobo. */
  readonly balance: bigint;
};

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const faults: string[] = [];
  const integer = (name: string, fallback: number, max: number): number => {
    const text = env[name] ?? String(fallback);
    if (/^\d{1,9}$/.test(text) && Number(text) <= max) return Number(text);
    faults.push(`${name} must be a whole number from 0 to ${max}, not "${text}"`);
    return fallback;
  };
  const url = (name: string): string | undefined => {
    const text = env[name];
    if (text === undefined || text === '' || URL.canParse(text)) return text === '' ? undefined : text;
    faults.push(`${name} must be a URL, not "${text}"`);
    return undefined;
  };
  const naira = (name: string, fallback: string): bigint => {
    const amount = parseNaira(env[name] ?? fallback);
    if (amount === undefined) faults.push(`${name} must be an amount in naira, not "${env[name]}"`);
    return amount ?? 0n;
  };
  const onOff = (name: string): boolean => {
    const text = env[name] ?? 'off';
    if (text !== 'on' && text !== 'off') faults.push(`${name} must be on or off, not "${text}"`);
    return text === 'on';
  };

  const settings: Settings = {
    host: env.OJA_SIMULATOR_HOST ?? '127.0.0.1',
    port: integer('OJA_SIMULATOR_PORT', 8090, 65_535),
    folder: env.OJA_SIMULATOR_DIR ?? './data/simulator',
    latencyMs: integer('OJA_SIMULATOR_LATENCY_MS', 0, 600_000),
    timeoutMs: integer('OJA_SIMULATOR_TIMEOUT_MS', 90_000, 600_000),
    hooksUrl: url('OJA_SIMULATOR_HOOKS_URL'),
    assignMs: integer('OJA_SIMULATOR_ASSIGN_MS', 2_000, 600_000),
    allocateMs: integer('OJA_SIMULATOR_ALLOCATE_MS', 1_000, 600_000),
    tokenLifeMs: integer('OJA_SIMULATOR_TOKEN_LIFE_S', 1_800, 86_400) * 1_000,
    nearDuplicates: onOff('OJA_SIMULATOR_NEAR_DUPLICATES'),
    balance: naira('OJA_SIMULATOR_BALANCE', '1000000000'),
  };
  if (faults.length > 0) throw new Error(`bad settings:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  return settings;
}
