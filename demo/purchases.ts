/** The purchases of the demo's history. Each has a fixed reference. */
import type { Client, Environment } from './client.ts';

export type Purchase = {
  readonly environment: Environment;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
};

const EACH = 24;
const ORDERS = 6;
/** In naira: no plan that costs more is bought. */
const PLAN_MAX = 15_000;
const amounts = [50, 100, 100, 200, 200, 500, 500, 1_000, 2_000, 5_000];
const networks = ['mtn', 'glo', 'airtel', '9mobile'] as const;
const prefixes = { mtn: '0803', glo: '0805', airtel: '0802', '9mobile': '0809' } as const;

type Bill = {
  readonly product: string;
  readonly networks: readonly string[];
  /** Names a customer of the simulated biller. */
  readonly customer: (index: number, network: string) => string;
};

const bills: readonly Bill[] = [
  {
    product: 'ELECTRICITY',
    networks: ['Ikeja Electric', 'EKEDC'],
    customer: (index) => String(45_000_000_011 + 7 * index),
  },
  {
    product: 'CABLE',
    networks: ['DSTV', 'GOTV', 'STARTIMES'],
    customer: (index) => String(7_000_000_011 + 7 * index),
  },
  { product: 'BETTING', networks: ['BET9JA'], customer: (index) => `player${11 + index}` },
  {
    product: 'EDUCATION',
    networks: ['JAMB', 'WAEC'],
    customer: (index, network) =>
      network === 'JAMB' ? String(2_000_000_011 + index) : numberOf('mtn', index),
  },
];

/**
 * The first group contains every kind of purchase, so that the console soon has an example of each.
 */
export async function listPurchases(client: Client): Promise<Purchase[]> {
  const groups = [
    airtime(),
    await data(client),
    ...(await Promise.all(bills.map((bill) => billsOf(client, bill)))),
    await cards(client),
    await esims(client),
    tests(),
  ];
  return Array.from({ length: EACH }, (_, index) => groups.flatMap((group) => group[index] ?? [])).flat();
}

/** Bought after all others: its reference shows that the history is complete. */
export const lastPurchase: Purchase = {
  environment: 'live',
  path: '/v1/transactions/airtime/sync',
  body: { msisdn: '08031234567', network: 'mtn', amount: '100.00', request_ref: 'demo-last' },
};

/** The purchase that is refunded. */
export const refundedReference = 'demo-airtime-3';

function airtime(): Purchase[] {
  return times(EACH, (index) => {
    const network = pick(networks, index);
    return {
      environment: 'live',
      path: `/v1/transactions/airtime/${index % 4 === 0 ? 'async' : 'sync'}`,
      body: {
        msisdn: numberOf(network, index),
        network,
        amount: naira(pick(amounts, 3 * index)),
        request_ref: `demo-airtime-${index}`,
      },
    };
  });
}

async function data(client: Client): Promise<Purchase[]> {
  const plans = await Promise.all(
    networks.map(async (network) => {
      const { body } = await client.get('live', `/v1/plans/${network}`);
      return (body.data as { plan_code: string; price: string }[]).filter(
        ({ price }) => Number(price) <= PLAN_MAX,
      );
    }),
  );
  return times(EACH, (index) => {
    const plan = pick(plans[index % networks.length] ?? [], index);
    const network = pick(networks, index);
    return {
      environment: 'live',
      path: '/v1/transactions/data/sync',
      body: {
        msisdn: numberOf(network, 100 + index),
        network,
        plan_code: plan.plan_code,
        amount: plan.price,
        request_ref: `demo-data-${index}`,
      },
    };
  });
}

type BillPlan = { readonly id: number; readonly amount_type: string; readonly price?: string };

async function billsOf(client: Client, { product, networks: names, customer }: Bill): Promise<Purchase[]> {
  const plans = await Promise.all(
    names.map(async (network) => {
      const path = `/v1/plans/bills/${product}?network=${encodeURIComponent(network)}`;
      return (await client.get('live', path)).body.data as BillPlan[];
    }),
  );
  return times(EACH / 2, (index) => {
    const network = pick(names, index);
    // The first plan of a distributor is prepaid.
    const [first] = plans[index % names.length] ?? [];
    const plan = product === 'ELECTRICITY' ? first : pick(plans[index % names.length] ?? [], index);
    // Every eighth is for a customer whom no biller knows.
    const id = index % 8 === 7 ? `${customer(index, network).slice(0, -3)}000` : customer(index, network);
    return {
      environment: 'live',
      path: '/v1/transactions',
      body: {
        product,
        network,
        msisdn: id,
        phone: numberOf('mtn', 200 + index),
        plan_code: String(plan?.id),
        amount: plan?.price ?? naira(pick([1_000, 2_000, 5_000], index)),
        request_ref: `demo-${product.toLowerCase()}-${index}`,
      },
    };
  });
}

async function cards(client: Client): Promise<Purchase[]> {
  const { body } = await client.get('live', '/v1/giftcards/catalog?currency=USD');
  const sold = (body.data as { plan_id: number; fixed_price: boolean }[]).filter((card) => card.fixed_price);
  return times(ORDERS, (index) => ({
    environment: 'live',
    path: '/v1/giftcards/orders',
    body: { request_id: `demo-card-${index}`, plan_id: pick(sold, index).plan_id },
  }));
}

async function esims(client: Client): Promise<Purchase[]> {
  const { body } = await client.get('live', '/v1/esim/catalog?country=NG');
  const sold = body.data as { plan_id: string }[];
  return times(ORDERS, (index) => ({
    environment: 'live',
    path: '/v1/esim/orders',
    body: { request_id: `demo-esim-${index}`, plan_id: pick(sold, index).plan_id },
  }));
}

/** Test numbers: delivered, refused, and pending for one to six hours. */
function tests(): Purchase[] {
  const story = (index: number): string => ['000', '101', `40${1 + (index % 6)}`][index % 3] ?? '000';
  return times(EACH / 2, (index) => ({
    environment: 'test',
    path: '/v1/transactions/airtime/async',
    body: {
      msisdn: `08000000${story(index)}`,
      network: 'mtn',
      amount: naira(pick(amounts, index)),
      request_ref: `demo-test-${index}`,
    },
  }));
}

function times(count: number, make: (index: number) => Purchase): Purchase[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('the catalog of the demo is empty');
  return item;
}

function numberOf(network: keyof typeof prefixes, index: number): string {
  return `${prefixes[network]}${1_234_501 + 7_919 * index}`;
}

function naira(amount: number): string {
  return amount.toFixed(2);
}
