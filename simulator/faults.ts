/**
 * Misbehaviour on demand: a list of rules. The first rule that matches a call and draws its share
 * chooses the misbehaviour. Draws come from a seeded generator, so the same calls in the same order
 * under the same seed give the same result.
 */
const OPERATIONS = ['pay', 'requery', 'goods', 'verify', 'token', 'account', 'message', 'list'] as const;
const PROVIDERS = [
  'vtpass',
  'nomba',
  'reloadly',
  'esimaccess',
  'buypower',
  'flutterwave-bills',
  'termii',
  'monnify',
  'paystack',
  'clubkonnect',
  'smeplug',
  'flutterwave',
  'payvessel',
  'vtung',
  'easyaccess',
  'ogdams',
  'panel-msorg',
  'panel-adex',
  'panel-php',
  'panel-smartrecharge',
] as const;

export type Operation = (typeof OPERATIONS)[number];
export type ProviderName = (typeof PROVIDERS)[number];

const ANY: readonly Operation[] = OPERATIONS;
const PAY: readonly Operation[] = ['pay'];
const PAY_OR_MESSAGE: readonly Operation[] = ['pay', 'message'];

/**
 * The calls that each fault applies to. `token` hands out access tokens, `goods` returns bought
 * goods if that is a separate call, `account` opens a bank account, `message` sends a message to a
 * phone, `list` lists a period.
 */
const FAULTS = {
  slow: ANY,
  cut_before: ANY,
  cut_after: PAY_OR_MESSAGE,
  error_5xx: ANY,
  system_error: ANY,
  broken_json: ANY,
  html_page: ANY,
  odd_reply: ANY,
  no_reply: ANY,
  timeout: ANY,
  refused: ['pay', 'verify', 'token', 'message'],
  bare_refusal: ['pay', 'requery', 'verify', 'account'],
  no_access: ['pay', 'verify', 'token', 'message'],
  unauthorized: ['pay', 'requery', 'goods', 'verify', 'message'],
  rate_limited: ANY,
  biller_down: ['pay', 'verify'],
  float_out: PAY_OR_MESSAGE,
  pending_then_success: PAY,
  pending_then_failed: PAY,
  reversed_later: PAY,
  false_success: PAY,
  duplicate_callback: PAY,
  late_visible: PAY,
  pending_fulfilments: PAY,
  stranger_record: ['requery'],
  other_amount: ['pay', 'requery'],
} satisfies Record<string, readonly Operation[]>;

type FaultName = keyof typeof FAULTS;

export type Fault = {
  readonly fault: FaultName;
  /** Wait before anything else. */
  readonly delayMs: number;
  /** The call waits for it too. */
  readonly released?: Promise<void>;
  /** For faults that spoil the reply: whether the order was executed. */
  readonly delivered: boolean;
  /** How long a pending order takes to become final. */
  readonly settleMs: number;
  /** How long a requery does not know the order. */
  readonly lateVisibleMs: number;
  /** How long replies leave out the goods. */
  readonly fulfilmentMs: number;
};

type Rule = Fault & {
  readonly share: number;
  readonly times: number | undefined;
  readonly recipient: string | undefined;
  readonly operation: Operation;
  readonly provider: ProviderName | undefined;
  /** Calls to it wait until their recipient is released. */
  readonly hold: boolean;
  hits: number;
};

export class Faults {
  #rules: readonly Rule[] = [];
  #seed = 0;
  #draw: () => number = Math.random;
  /** By the ending of the recipient's name. */
  readonly #releases = new Map<string, PromiseWithResolvers<void>>();
  /** How many calls were held, by the same ending. */
  readonly #held = new Map<string, number>();
  readonly #listeners: ((recipient: string) => Promise<number>)[] = [];

  /**
   * Replaces the rules with those of a request body. Returns the error of an invalid body without a
   * change.
   */
  replace(body: unknown): readonly string[] {
    const wrong: string[] = [];
    const { rules, seed = Math.floor(Math.random() * 2 ** 32) } = isRecord(body) ? body : {};
    if (!Array.isArray(rules)) wrong.push('rules must be a list');
    if (!Number.isInteger(seed)) wrong.push('seed must be a whole number');
    const read = Array.isArray(rules)
      ? rules.map((rule, index) => readRule(rule, `rules[${index}]`, wrong))
      : [];
    if (wrong.length > 0) return wrong;
    this.#rules = read.filter((rule) => rule !== undefined);
    this.#seed = Number(seed);
    this.#draw = generator(this.#seed);
    return [];
  }

  clear(): void {
    this.#rules = [];
  }

  /** The fault of this call, if any. */
  take(provider: ProviderName, operation: Operation, recipient: string): Fault | undefined {
    const met = this.#rules.find((rule) => {
      if (rule.provider !== undefined && rule.provider !== provider) return false;
      if (rule.operation !== operation) return false;
      if (rule.recipient !== undefined && lastTen(rule.recipient) !== lastTen(recipient)) return false;
      if (rule.times !== undefined && rule.hits >= rule.times) return false;
      if (rule.share < 1 && this.#draw() >= rule.share) return false;
      rule.hits += 1;
      return true;
    });
    if (!met?.hold) return met;
    const key = lastTen(recipient);
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    return { ...met, released: this.#releaseOf(recipient).promise };
  }

  /**
   * Releases the held calls of a recipient. Later ones are not held. Returns the number of changed
   * orders.
   */
  async release(recipient: string): Promise<number> {
    this.#releaseOf(recipient).resolve();
    const changed = await Promise.all(this.#listeners.map((listener) => listener(recipient)));
    return changed.reduce((sum, orders) => sum + orders, 0);
  }

  onRelease(listener: (recipient: string) => Promise<number>): void {
    this.#listeners.push(listener);
  }

  #releaseOf(recipient: string): PromiseWithResolvers<void> {
    const key = lastTen(recipient);
    const release = this.#releases.get(key) ?? Promise.withResolvers<void>();
    this.#releases.set(key, release);
    return release;
  }

  toJSON(): unknown {
    const rules = this.#rules.map((rule) => ({
      fault: rule.fault,
      operation: rule.operation,
      provider: rule.provider,
      share: rule.share,
      times: rule.times,
      recipient: rule.recipient,
      delay_ms: rule.delayMs,
      hold: rule.hold,
      delivered: rule.delivered,
      settle_ms: rule.settleMs,
      late_visible_ms: rule.lateVisibleMs,
      fulfilment_ms: rule.fulfilmentMs,
      hits: rule.hits,
    }));
    return { seed: this.#seed, rules, held: Object.fromEntries(this.#held) };
  }
}

/** A fault outside any rule, such as those of the providers' magic numbers. */
export function plainFault(fault: FaultName, delivered: boolean): Fault {
  return { fault, delivered, ...DEFAULTS };
}

const DEFAULTS = { delayMs: 0, settleMs: 3_000, lateVisibleMs: 5_000, fulfilmentMs: 5_000 };
const SLOW_MS = 1_000;
const KEYS = [
  ...['fault', 'operation', 'provider', 'recipient', 'share', 'times', 'delivered', 'hold'],
  ...['delay_ms', 'settle_ms', 'late_visible_ms', 'fulfilment_ms'],
];

function readRule(value: unknown, at: string, wrong: string[]): Rule | undefined {
  if (!isRecord(value)) {
    wrong.push(`${at} must be an object`);
    return undefined;
  }
  const name = (Object.keys(FAULTS) as FaultName[]).find((known) => known === value.fault);
  const operation = OPERATIONS.find((known) => known === (value.operation ?? 'pay'));
  const provider = PROVIDERS.find((known) => known === value.provider);
  const check = (good: boolean, text: string): void => {
    if (!good) wrong.push(`${at}.${text}`);
  };
  const ms = (key: string, fallback: number): number => {
    const given = value[key] ?? fallback;
    check(Number.isInteger(given) && Number(given) >= 0, `${key} must be a whole number of milliseconds`);
    return Number(given);
  };
  const share = value.share ?? 1;
  for (const key of Object.keys(value)) check(KEYS.includes(key), `${key} is not known`);
  check(name !== undefined, `fault must be one of ${Object.keys(FAULTS).join(', ')}`);
  check(operation !== undefined, `operation must be one of ${OPERATIONS.join(', ')}`);
  check(
    value.provider === undefined || provider !== undefined,
    `provider must be one of ${PROVIDERS.join(', ')}`,
  );
  if (name !== undefined && operation !== undefined) {
    const operations: readonly Operation[] = FAULTS[name];
    check(operations.includes(operation), `fault ${name} is of ${operations.join(', ')} only`);
  }
  check(typeof share === 'number' && share >= 0 && share <= 1, 'share must be from 0 to 1');
  check(value.times === undefined || Number.isInteger(value.times), 'times must be a whole number');
  check(value.recipient === undefined || typeof value.recipient === 'string', 'recipient must be text');
  check(
    value.delivered === undefined || typeof value.delivered === 'boolean',
    'delivered must be true or false',
  );
  check(value.hold === undefined || typeof value.hold === 'boolean', 'hold must be true or false');
  return {
    fault: name ?? 'slow',
    delayMs: ms('delay_ms', name === 'slow' ? SLOW_MS : DEFAULTS.delayMs),
    delivered: value.delivered === true,
    settleMs: ms('settle_ms', DEFAULTS.settleMs),
    lateVisibleMs: ms('late_visible_ms', DEFAULTS.lateVisibleMs),
    fulfilmentMs: ms('fulfilment_ms', DEFAULTS.fulfilmentMs),
    share: Number(share),
    times: value.times === undefined ? undefined : Number(value.times),
    recipient: value.recipient === undefined ? undefined : String(value.recipient),
    operation: operation ?? 'pay',
    hold: value.hold === true,
    provider,
    hits: 0,
  };
}

/** A person's number in any of its spellings. */
export function lastTen(recipient: string): string {
  return recipient.slice(-10);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** mulberry32: small, uniform enough for shares, and the same on every machine. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
