/**
 * Money under any order of answers, settlements and refunds, one after the other and at the same
 * time: the books balance, a purchase ends once, and no more is given back than was paid.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { OperationError } from '../../src/core/errors.ts';
import type { OperationErrorCode } from '../../src/core/operation-errors.ts';
import type { AcceptItem } from '../../src/purchases/engine/accept-store.ts';
import { postRefund, type RefundOrder } from '../../src/purchases/refunds/post-refund.ts';
import { settlePurchase } from '../../src/purchases/unresolved/operations/settle-purchase.ts';
import {
  accept,
  answer,
  assertAudited,
  type Buyer,
  moneyOf,
  openBuyer,
  purchase,
  resolveWords,
} from '../purchases/fixture.ts';
import { runs } from '../support/budget.ts';
import { openFileDatabase } from '../support/file-database.ts';

const database = await openFileDatabase();

const BALANCE = 100_000n;
const kinds = ['success', 'failed', 'unknown', 'accepted', 'not_found'] as const;

type Event =
  | { readonly do: 'answer'; readonly purchase: number; readonly kind: (typeof kinds)[number] }
  | {
      readonly do: 'settle';
      readonly purchase: number;
      readonly status: 'success' | 'failed';
      readonly override: boolean;
    }
  | {
      readonly do: 'refund';
      readonly purchase: number;
      readonly kind: RefundOrder['kind'];
      readonly amount: number | undefined;
    };

const which = fc.nat(2);
const anEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ do: fc.constant('answer' as const), purchase: which, kind: fc.constantFrom(...kinds) }),
  fc.record({
    do: fc.constant('settle' as const),
    purchase: which,
    status: fc.constantFrom('success', 'failed'),
    override: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('refund' as const),
    purchase: which,
    kind: fc.constantFrom('merchant', 'provider'),
    amount: fc.option(fc.integer({ min: 1, max: 1_200 }), { nil: undefined }),
  }),
);

/** Refusals that are allowed in any order of events. */
const refusable: readonly OperationErrorCode[] = [
  'purchase_final',
  'provider_says_otherwise',
  'refund_of_unsuccessful',
  'nothing_to_refund',
  'refund_too_large',
];

async function run(buyer: Buyer, items: readonly AcceptItem[], event: Event): Promise<void> {
  const item = items[event.purchase];
  assert.ok(item);
  const { merchantId, environment, id: purchaseId, reference } = item;
  try {
    switch (event.do) {
      case 'answer':
        await resolveWords(database, answer(buyer, item, event.kind, { source: 'query' }));
        return;
      case 'settle': {
        const { status, override } = event;
        const settlement = { status, evidence: 'ticket', override };
        await database.transaction((tx) =>
          settlePurchase(
            tx,
            { seal: () => 'k:' },
            { merchantId, environment, purchaseId },
            settlement,
            'ada',
          ),
        );
        return;
      }
      case 'refund': {
        const amount = event.amount === undefined ? undefined : BigInt(event.amount);
        const order = {
          purchase: { merchantId, environment, purchaseId, reference },
          kind: event.kind,
          amount,
        };
        await database.transaction((tx) => postRefund(tx, { ...order, reason: 'a test' }, 'ada'));
      }
    }
  } catch (error) {
    assert.ok(error instanceof OperationError && refusable.includes(error.details.code), String(error));
  }
}

/** The wallet equals the sum of its purchases and refunds. */
async function check(buyer: Buyer): Promise<void> {
  const [sums] = await database.query<{ held: bigint; spent: bigint; back: bigint; exceeded: bigint }>(
    `select
       coalesce(sum(v.charge) filter (where o.status is null), 0)::bigint as held,
       coalesce(sum(v.charge) filter (where o.status = 'success'), 0)::bigint as spent,
       coalesce(sum(r.back), 0)::bigint as back,
       count(*) filter (where r.back > v.charge or r.cost_back > o.cost or (r.any and o.status <> 'success')) as exceeded
     from purchases v
     left join purchase_outcomes o on o.merchant_id = v.merchant_id and o.purchase_id = v.id
     left join lateral (
       select
         sum(amount) filter (where kind = 'merchant') as back,
         sum(amount) filter (where kind = 'provider') as cost_back,
         count(*) > 0 as any
       from purchase_refunds
       where merchant_id = v.merchant_id
       and purchase_id = v.id
     ) r on true
     where v.merchant_id = $1`,
    [buyer.merchantId],
  );
  assert.ok(sums);
  const { posted, held } = await moneyOf(database, buyer);
  assert.deepEqual([posted, held, sums.exceeded], [BALANCE - sums.spent + sums.back, sums.held, 0n]);
}

it('refunds keep the books in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anEvent, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 8 }),
      async (rounds) => {
        const buyer = await openBuyer(database, BALANCE);
        const items = [0, 1, 2].map(() => purchase(buyer, 1_000n));
        await accept(database, ...items);
        for (const together of rounds) {
          await Promise.all(together.map((event) => run(buyer, items, event)));
          await check(buyer);
        }
      },
    ),
    // Never interrupted, because a continuing run would move money during the audit.
    runs(8),
  );
  // Each contradiction of an outcome has its alarm, which a person has seen.
  await database.query('update alarms set acknowledged_at = now()');
  await assertAudited(database);
});
