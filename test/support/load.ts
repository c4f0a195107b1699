/**
 * A crowd of merchants' clients that buy as the documentation requires. After 503 or a refused
 * connection nothing was stored, and they may send again. After 500 or a broken connection they
 * query the status, and send again only when it is unknown. All answers are recorded and compared
 * with the stored purchases at the end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { StoredPurchase } from './books.ts';

/** The same seed gives the same numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Plan = { readonly network: string; readonly planCode: string; readonly price: string };

export type LoadOptions = {
  /** Called for every request: a gateway may move to another address, and there may be several. */
  readonly url: () => string;
  readonly key: string;
  readonly secret: string;
  /** The credential; default the demo's. */
  readonly merchant?: string;
  /** Empty: airtime only. */
  readonly plans: readonly Plan[];
  readonly clients: number;
  readonly seed: number;
  /** The maximum pause of a client between two purchases. */
  readonly pauseMs: number;
  /** How many purchases a client makes. Default: as many as it can until it is stopped. */
  readonly purchasesEach?: number;
  /** The share of sync purchases; default a half. */
  readonly syncShare?: number;
  /** How many clients disconnect before the answer; default none. */
  readonly hangUpShare?: number;
  /** The share of bills, half prepaid electricity and half betting; default none. */
  readonly billShare?: number;
  /** The share of bills, half prepaid electricity and half betting; default none. */
  readonly onSend?: () => (answer: ClientAnswer) => void;
};

/**
 * Called when a purchase is sent whose client waits for the answer. Its result is called with the
 * answer.
 */
export type ClientAnswer =
  /** `status` is the HTTP status. */
  | {
      readonly by: 'create' | 'status';
      readonly status: number;
      readonly outcome?: string;
      readonly token?: string;
    }
  /** The request did not reach the gateway. */
  | { readonly by: 'create' | 'status'; readonly status: 'refused' }
  /** The result is unknown. */
  | { readonly by: 'create' | 'status'; readonly status: 'lost' };

/** When the answer came, by this machine's clock. */
type Noted = ClientAnswer & { readonly at: Date };

export type Purchase = { readonly reference: string; readonly answers: Noted[] };

export type Load = AsyncDisposable & {
  readonly purchases: readonly Purchase[];
  /**
   * Makes no new purchases. Resolves when every client knows the state of its purchases, or has
   * queried for long enough.
   */
  stop(): Promise<void>;
  /** After the stop: queries each purchase once more whose state its client does not know. */
  resolveUnknown(): Promise<void>;
};

const NETWORKS = ['mtn', 'glo', 'airtel', '9mobile'];
/** How long a client queries a purchase whose answer it did not get. */
const ASK_MS = 60_000;

export function startLoad(options: LoadOptions): Load {
  const agent = new Agent({ connections: options.clients * 2, pipelining: 1 });
  const purchases: Purchase[] = [];
  const pause = new AbortController();
  const { purchasesEach = Number.POSITIVE_INFINITY } = options;
  let stopping = false;
  const clients = Array.from({ length: options.clients }, async (_, index) => {
    const random = randomFrom(options.seed + index * 7_919);
    for (let number = 0; !stopping && number < purchasesEach; number += 1) {
      const reference = `load-${options.seed}-${index}-${number}`;
      const purchase: Purchase = { reference, answers: [] };
      purchases.push(purchase);
      await buy({ options, agent, random, purchase, stopping: () => stopping });
      await sleep(random() * options.pauseMs, undefined, { signal: pause.signal }).catch(() => undefined);
    }
  });
  const finished = Promise.all(clients);
  // Set by `stop`, not before.
  finished.catch(() => undefined);
  return {
    purchases,
    async stop() {
      stopping = true;
      pause.abort();
      await finished;
      await agent.destroy();
    },
    async resolveUnknown() {
      const later = new Agent({ connections: options.clients });
      for (const purchase of purchases.filter(isUnknown)) {
        await askUntilKnown({ options, agent: later, purchase });
      }
      await later.destroy();
    },
    async [Symbol.asyncDispose]() {
      stopping = true;
      pause.abort();
      await agent.destroy();
    },
  };
}

function note({ answers }: Purchase, answer: ClientAnswer): void {
  answers.push({ ...answer, at: new Date() });
}

/** Whether the client has not been informed of its state. */
function isUnknown({ answers }: Purchase): boolean {
  const last = answers.at(-1);
  return last === undefined || last.status === 'lost' || last.status === 500;
}

type Asker = {
  readonly options: LoadOptions;
  readonly agent: Agent;
  readonly purchase: Purchase;
};

type Client = Asker & {
  readonly random: () => number;
  readonly stopping: () => boolean;
};

/**
 * One purchase, until the client knows that it is stored, or gives up because it knows that it is
 * not.
 */
async function buy(client: Client): Promise<void> {
  const { random, purchase } = client;
  const order = newOrder(client);
  for (;;) {
    const answer = await create(client, order);
    note(purchase, answer);
    if (answer.status === 'lost' || answer.status === 500) {
      if ((await askUntilKnown(client)) !== 404) return;
    } else if (answer.status === 503 || answer.status === 'refused') {
      if (client.stopping() || random() < 0.3) return;
      await sleep(100 + random() * 400);
    } else {
      if (answer.outcome === 'pending' && random() < 0.5) await followUp(client);
      return;
    }
    if (client.stopping()) return;
  }
}

type Order = { readonly path: string; readonly body: Readonly<Record<string, string>> };

function newOrder(client: Client): Order {
  const { options, random, purchase } = client;
  if (options.billShare !== undefined && random() < options.billShare) return newBill(client);
  const mode = random() < (options.syncShare ?? 0.5) ? 'sync' : 'async';
  const plan = options.plans.length > 0 && random() < 0.4 ? pick(options.plans, random) : undefined;
  const digits = Math.floor(random() * 10_000_000)
    .toString()
    .padStart(7, '0');
  const common = {
    merchant: options.merchant ?? 'DEMO',
    msisdn: `${pick(['0803', '234803', '0905'], random)}${digits}`,
    request_ref: purchase.reference,
  };
  if (plan === undefined) {
    const amount = (50 + Math.floor(random() * 450)).toString();
    const body = { ...common, network: pick(NETWORKS, random), amount };
    // The general route is the async one for airtime.
    return mode === 'async' && random() < 0.2
      ? { path: '/v1/transactions', body: { ...body, product: 'airtime' } }
      : { path: `/v1/transactions/airtime/${mode}`, body };
  }
  const { network, planCode, price } = plan;
  return {
    path: `/v1/transactions/data/${mode}`,
    body: { ...common, network, plan_code: planCode, amount: price },
  };
}

/**
 * Bills are sync on their one route. No identifier ends in 000, which the simulated billers do not
 * know.
 */
function newBill({ options, random, purchase }: Client): Order {
  const digits = String(10_000_000 + Math.floor(random() * 80_000_000));
  const common = { merchant: options.merchant ?? 'DEMO', request_ref: purchase.reference };
  const bill =
    random() < 0.5
      ? {
          product: 'ELECTRICITY',
          network: 'Ikeja Electric',
          plan_code: '2001',
          msisdn: `45${digits}1`,
          amount: (1_000 + Math.floor(random() * 2_000)).toString(),
        }
      : {
          product: 'BETTING',
          network: 'BET9JA',
          plan_code: '2201',
          msisdn: `punter${digits}1`,
          amount: (100 + Math.floor(random() * 400)).toString(),
          phone: '08031234567',
        };
  return { path: '/v1/transactions', body: { ...common, ...bill } };
}

function pick<T>(list: readonly T[], random: () => number): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

async function create(client: Client, order: Order): Promise<ClientAnswer> {
  const { options, random } = client;
  const hangUp =
    random() < (options.hangUpShare ?? 0) ? AbortSignal.timeout(Math.floor(random() * 200)) : undefined;
  if (hangUp !== undefined) return await send(client, order, hangUp);
  const onAnswer = options.onSend?.();
  const answer = await send(client, order);
  onAnswer?.(answer);
  return answer;
}

async function send(client: Client, { path, body }: Order, hangUp?: AbortSignal): Promise<ClientAnswer> {
  const answer = await call(client, 'POST', path, body, hangUp);
  if (typeof answer === 'string') return { by: 'create', status: answer };
  const said = answer.body as { status?: string; data?: { status?: string; token?: string } };
  // A duplicate reports the state of the first purchase; other refusals report none.
  const stated = answer.status === 200 ? said.status : said.data?.status;
  // It reports a purchase as pending although it is unknown whether it is stored.
  const outcome = answer.status === 500 && stated === 'pending' ? undefined : stated;
  const token = said.data?.token;
  return {
    by: 'create',
    status: answer.status,
    ...(outcome !== undefined && { outcome }),
    ...(token !== undefined && { token }),
  };
}

async function queryStatus(client: Asker): Promise<ClientAnswer> {
  const path = `/v1/transactions/status?request_ref=${client.purchase.reference}`;
  const answer = await call(client, 'GET', path);
  if (typeof answer === 'string') return { by: 'status', status: answer };
  const said = answer.body as { state?: string; payload?: { token?: string } };
  const token = said.payload?.token;
  return {
    by: 'status',
    status: answer.status,
    ...(answer.status === 200 && said.state !== undefined && { outcome: said.state }),
    ...(token !== undefined && { token }),
  };
}

/** Queries until the gateway knows the purchase (200) or reports that it does not (404). */
async function askUntilKnown(client: Asker): Promise<ClientAnswer['status']> {
  const deadline = performance.now() + ASK_MS;
  while (performance.now() < deadline) {
    const answer = await queryStatus(client);
    note(client.purchase, answer);
    if (answer.status === 200 || answer.status === 404) return answer.status;
    await sleep(200);
  }
  return 'lost';
}

/** Some clients query a pending purchase a few times. */
async function followUp(client: Client): Promise<void> {
  for (let times = 0; times < 4 && !client.stopping(); times += 1) {
    await sleep(300 + client.random() * 1_000);
    const answer = await queryStatus(client);
    note(client.purchase, answer);
    if ('outcome' in answer && answer.outcome !== 'pending') return;
  }
}

async function call(
  { options, agent }: Asker,
  method: 'GET' | 'POST',
  path: string,
  body?: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<{ status: number; body: unknown } | 'refused' | 'lost'> {
  try {
    const answer = await request(`${options.url()}${path}`, {
      method,
      dispatcher: agent,
      headers: {
        'x-merchant-key': options.key,
        'x-merchant-secret': options.secret,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      headersTimeout: 90_000,
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  } catch (error) {
    return (error as { code?: string }).code === 'ECONNREFUSED' ? 'refused' : 'lost';
  }
}

/** The purchases whose clients had been informed by then, with their answers. */
export function acknowledgedBefore(purchases: readonly Purchase[], then: Date): Purchase[] {
  return purchases.flatMap(({ reference, answers }) => {
    const told = answers.filter((one) => one.at < then && 'outcome' in one);
    return told.length === 0 ? [] : { reference, answers: told };
  });
}

/** The answers to clients that the stored purchases contradict, once no purchase is pending. */
export function brokenPromises(sent: readonly Purchase[], purchases: readonly StoredPurchase[]): string[] {
  const stored = new Map(purchases.map((purchase) => [purchase.reference, purchase]));
  return sent.flatMap(({ reference, answers }) => {
    const purchase = stored.get(reference);
    return faultsOf(answers, purchase).map(
      (fault) => `${fault}: ${reference} is ${purchase?.status ?? 'not stored'}, its client was told
      ${answers.map((one) => `${one.by} ${one.status} ${'outcome' in one ? one.outcome : ''}`).join(', ')}`,
    );
  });
}

function faultsOf(answers: readonly ClientAnswer[], purchase: StoredPurchase | undefined): string[] {
  const faults: string[] = [];
  const stated = answers.flatMap((one) =>
    'outcome' in one && one.outcome !== undefined ? [one.outcome] : [],
  );
  if (stated.length > 0 && purchase === undefined) faults.push('an answered purchase was lost');
  for (const outcome of stated) {
    if (outcome !== 'pending' && purchase !== undefined && outcome !== purchase.status) {
      faults.push(`told ${outcome}, which is not so`);
    }
  }
  const firstStored = answers.findIndex((one) => 'outcome' in one);
  const unknownLater = answers.some(
    (one, index) => one.status === 404 && firstStored >= 0 && index > firstStored,
  );
  if (unknownLater) faults.push('known first, unknown later');
  const onlyRefused =
    answers.length > 0 && answers.every((one) => one.status === 503 || one.status === 'refused');
  if (onlyRefused && purchase !== undefined) faults.push('told that nothing was stored, but it was');
  for (const one of answers) {
    if (!isExpected(one)) faults.push(`an answer that no client should get: ${one.status}`);
    // Clients repeat a request only when its result is uncertain, so before that there is no
    // duplicate.
    if (one.status === 422 && !answers.some((other) => other.status === 'lost' || other.status === 500)) {
      faults.push('a duplicate of a purchase that was sent once');
    }
  }
  return faults;
}

const EXPECTED: ReadonlySet<ClientAnswer['status']> = new Set([200, 404, 422, 500, 503, 'lost', 'refused']);

/**
 * Many simultaneous queries may be refused, and are repeated: such a refusal states nothing about a
 * purchase.
 */
function isExpected({ by, status }: ClientAnswer): boolean {
  return EXPECTED.has(status) || (by === 'status' && status === 429);
}

/** How often each answer was given, for the record of a run. */
export function tally(purchases: readonly Purchase[]): string {
  const counts = new Map<string, number>();
  for (const one of purchases.flatMap((purchase) => purchase.answers)) {
    const name = `${one.by} ${one.status}${'outcome' in one ? ` ${one.outcome}` : ''}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

/** Every data plan on sale, by its network's list. */
export async function fetchPlans(url: string, key: string, secret: string): Promise<Plan[]> {
  const lists = NETWORKS.map(async (network) => {
    const headers = { 'x-merchant-key': key, 'x-merchant-secret': secret };
    const answer = await fetch(`${url}/v1/plans/${network}`, { headers });
    const { data } = (await answer.json()) as { data: { plan_code: string; price: string }[] };
    return data.map((plan) => ({ network, planCode: plan.plan_code, price: plan.price }));
  });
  return (await Promise.all(lists)).flat();
}
