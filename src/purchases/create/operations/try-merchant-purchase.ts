/**
 * Buys airtime with a test credential of a merchant as the merchant's program would: over the API,
 * with the key and the secret. It returns the request and the answer. Guarantees: a live credential
 * is refused before anything is sent. The secret is neither stored nor shown.
 */
import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, supporters } from '../../../core/operation.ts';
import { amountField, inputOf, oneOf, text } from '../../../core/operation-fields.ts';
import { mobileNetworks } from '../../../core/products/network.ts';
import {
  requireTestCredential,
  type Tried,
  triedFields,
  triedOutput,
} from '../../../merchants/credential-answer.ts';
import type { Tasking } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';

/** A purchase over the API, before it is written as a request. */
type TriedPurchase = {
  readonly merchant: string;
  readonly credential: string;
  readonly secret: string;
  readonly number: string;
  readonly network: string;
  readonly amount: string;
  readonly mode: 'sync' | 'async';
  readonly reference: string;
};

/** Sends it to the merchants' API. Undefined if the API does not answer. */
export type BuyOverApi = (purchase: TriedPurchase) => Promise<Tried | undefined>;

type Needs = Tasking & { readonly buyOverApi?: BuyOverApi };

export const tryMerchantPurchaseOperation = defineOperation({
  name: 'merchant_purchase.try',
  kind: 'task',
  summary: 'buy airtime over the API with a test credential, and show the request and the answer',
  roles: supporters,
  portal: { roles: ['developer'] },
  withoutStepUp: true,
  route: 'POST /merchants/{merchant}/purchases/try',
  document: 'merchants/portal.md',
  input: inputOf({
    ...triedFields,
    number: Type.String({
      description: 'a mobile number such as 08031234567, or a test number such as 08000000110',
      pattern: '^\\+?[0-9 -]{7,20}$',
    }),
    network: oneOf(mobileNetworks, { default: 'MTN' }),
    amount: { ...amountField, default: '100' },
    mode: oneOf(['sync', 'async'], { default: 'sync' }),
    reference: text('a reference of your own, new for each purchase', { maxLength: 100 }),
  }),
  output: Type.Object({
    ...triedOutput.properties,
    /** The reference by which an accepted purchase is found. */
    reference: Type.String(),
  }),
  run: async ({ database, actor, buyOverApi }: Needs, purchase) => {
    const { credential, merchant, reference, number, network, amount, mode } = purchase;
    await database.transaction(async (tx) => {
      await requireTestCredential(tx, credential, merchant);
      await recordOperation(tx, {
        actor,
        action: 'merchant_purchase.try',
        subject: `credential:${credential}`,
        after: { reference, number, network, amount, mode },
      });
    });
    const told = await buyOverApi?.(purchase);
    if (told === undefined) throw new OperationError({ code: 'api_silent' });
    return { ...told, reference };
  },
});
