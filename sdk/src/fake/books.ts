/** The stored purchases of the fake gateway, and their answers. */
import type { CreateAnswer, EsimOrderAnswer, FailureReason, StatusAnswer } from '../generated/api.ts';
import { newReference } from '../reference.ts';
import type { Story } from './stories.ts';

type Outcome = 'success' | 'failed' | 'pending';

/** A purchase or an order in the fake. */
export type FakePurchase = {
  readonly reference: string;
  readonly internalReference: string;
  readonly product: string;
  readonly network: string;
  readonly msisdn: string;
  readonly amount: string;
  readonly plan: string;
  readonly createdAt: Date;
  outcome: Outcome;
  hasGoods: boolean;
  readonly story: Story;
};

const codes = { success: '00', failed: '01', pending: '02' } as const;

export function newPurchase(
  fields: Pick<FakePurchase, 'reference' | 'product' | 'network' | 'msisdn' | 'amount' | 'plan' | 'story'>,
): FakePurchase {
  const { story, product } = fields;
  const areGoodsLate = story.areGoodsLate === true;
  return {
    ...fields,
    internalReference: newReference(),
    createdAt: new Date(),
    // An order of gift cards succeeds only with its cards.
    outcome: areGoodsLate && product === 'GIFTCARD' ? 'pending' : story.first,
    hasGoods: !areGoodsLate,
  };
}

function messageOf({ outcome, story }: FakePurchase): string {
  return outcome === 'pending' ? 'Transaction is being processed' : story.message;
}

function failureOf({ outcome, story }: FakePurchase): { readonly reason?: FailureReason } {
  return outcome === 'failed' ? { reason: story.reason ?? 'provider_refused' } : {};
}

function goodsOf({ outcome, hasGoods, story }: FakePurchase): Readonly<Record<string, string>> {
  return outcome === 'pending' || !hasGoods ? {} : (story.fields ?? {});
}

export function createAnswer(purchase: FakePurchase): CreateAnswer {
  return {
    status: purchase.outcome,
    response_code: codes[purchase.outcome],
    response_message: messageOf(purchase),
    data: {
      internal_reference: purchase.internalReference,
      msisdn: purchase.msisdn,
      product: purchase.product,
      request_id: purchase.reference,
      network: purchase.network.toUpperCase(),
      amount: purchase.amount,
      plan: purchase.plan,
      merchant_id: 1,
      ...failureOf(purchase),
      ...goodsOf(purchase),
    },
  };
}

export function statusAnswer(purchase: FakePurchase): StatusAnswer {
  const { status, response_code, response_message, data } = createAnswer(purchase);
  const at = purchase.createdAt.toISOString().slice(0, 19).replace('T', ' ');
  const payload = { ...data, merchant_name: 'Fake merchant', created_at: at, updated_at: at };
  return { state: status, code: response_code, message: response_message, payload };
}

export function orderAnswer(purchase: FakePurchase): EsimOrderAnswer {
  return {
    status: purchase.outcome,
    response_code: codes[purchase.outcome],
    response_message: messageOf(purchase),
    data: {
      request_id: purchase.reference,
      product: purchase.product,
      internal_reference: purchase.internalReference,
      product_title: `Plan ${purchase.plan}`,
      plan: purchase.plan,
      amount: purchase.amount,
      merchant_id: 1,
      created_at: purchase.createdAt.toISOString(),
      ...failureOf(purchase),
      ...(hasCards(purchase) && { cards: [{ card_number: '4000000000000000', pin: '1234' }] }),
    },
  };
}

function hasCards({ product, outcome, hasGoods }: FakePurchase): boolean {
  return product === 'GIFTCARD' && outcome === 'success' && hasGoods;
}
