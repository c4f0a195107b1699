/** The sandbox passes the suite of every connector, with its test numbers as the upstream. */
import type { Connector } from '../../src/providers/provider.ts';
import { sandbox } from '../../src/providers/sandbox/index.ts';
import {
  airtime,
  betting,
  cable,
  data,
  eSim,
  giftCard,
  jamb,
  type ProductCase,
  postpaid,
  prepaid,
  waec,
} from './products.ts';
import { type Behaviour, type CustomerFate, providerSuite } from './provider-suite.ts';

type Recipients = ReadonlyMap<Behaviour | CustomerFate, string>;

const mobiles: Recipients = new Map([
  ['success', '2348031234567'],
  ['refused', '2348000000001'],
  ['pending_then_success', '2348000000002'],
  ['pending_then_failed', '2348000000003'],
  ['lost_after_delivery', '2348000000004'],
  ['lost_before_delivery', '2348000000005'],
]);

/** Bills accept only the test customers of the interface, whose orders succeed. */
function customers(accepted: string, nobody: string): Recipients {
  return new Map([
    ['success', accepted],
    ['known', accepted],
    ['refused', nobody],
    ['unknown', nobody],
  ]);
}

/** Orders have no recipient. The plan's own codes choose the story. */
const scenarios: Recipients = new Map([
  ['success', 'immediate'],
  ['refused', 'failed'],
  ['pending_then_success', 'pending'],
]);

const RUNS: readonly (readonly [ProductCase, Recipients])[] = [
  [airtime, mobiles],
  [data, mobiles],
  [prepaid, customers('10000000001', '10000000009')],
  [postpaid, customers('10000000002', '10000000001')],
  [cable, customers('10000000010', '10000000020')],
  [betting, customers('TESTBET001', 'TESTBET002')],
  [jamb, customers('1000000001', '1000000009')],
  [waec, customers('2348000000010', '2348000000001')],
  [giftCard, scenarios],
  [eSim, scenarios],
];

/** Purchases age ten times as fast, so that stories take seconds. */
function withAges({ purchase, query }: Connector): Pick<Connector, 'purchase' | 'query'> {
  const sentAtMs = new Map<string, number>();
  return {
    purchase: (order, options) => {
      sentAtMs.set(order.reference, performance.now());
      return purchase({ ...order, ageMs: 0 }, options);
    },
    query: (order, options) => {
      const sent = sentAtMs.get(order.reference);
      return query(
        sent === undefined ? order : { ...order, ageMs: 10 * (performance.now() - sent) },
        options,
      );
    },
  };
}

for (const [product, recipients] of RUNS) {
  const recipientFor = async (wanted: Behaviour | CustomerFate): Promise<string> =>
    recipients.get(wanted) ?? '';
  providerSuite(
    'the sandbox',
    product,
    async () => {
      const opened = await sandbox.configure({ notFoundGraceMs: 1_000, timeoutMs: 100 }).open();
      return {
        provider: { ...opened, ...withAges(opened) },
        secrets: [],
        hasFloat: false,
        // Placeholders report no cost.
        tellsNoCost: product.wanted.item !== undefined,
        arrange: recipientFor,
        arrangeCustomer: recipientFor,
        [Symbol.asyncDispose]: async () => opened[Symbol.asyncDispose](),
      };
    },
    new Set(recipients.keys()),
  );
}
