/**
 * Prices and buys for users of a merchant, with one of the merchant's credentials but without its
 * secret. The price is returned with the remaining balance, and for a bill with the verified
 * customer.
 *
 * Guarantee: a reference buys once. A repetition with the same input returns the first purchase.
 */
import { Type } from 'typebox';
import type { Environment } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { formatAmount } from '../../../core/money.ts';
import { nullable, nullableText } from '../../../core/nullable.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import {
  amountField,
  amountOutput,
  environmentField,
  inputOf,
  merchantField,
  oneOf,
  text,
} from '../../../core/operation-fields.ts';
import { type Product, products } from '../../../core/products/product.ts';
import { credentialField } from '../../../merchants/credential-secret.ts';
import { requireUnboundCredential } from '../../../merchants/require-merchant.ts';
import type { Asking, Tasking } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import type { PurchaseStatus } from '../../state/purchase.ts';

/** A purchase as a person enters it. */
export type CounterPurchase = {
  readonly credential: string;
  readonly product: Product;
  readonly network: string;
  readonly plan?: string | undefined;
  readonly amount: string;
  /** The mobile number, or the number of the meter, smartcard or account. */
  readonly number: string;
  readonly phone?: string | undefined;
};

type Refused = {
  readonly kind: 'refused';
  readonly reason: string;
  readonly message: string;
};

/** The credential is no longer valid. */
type Ended = { readonly kind: 'ended' };

/** The purchase may be stored: the database's answer was lost. */
type Unknown = { readonly kind: 'unknown' };

/** `none`: the product has no customer verification. */
const customerStates = ['verified', 'rejected', 'unavailable', 'none'] as const;

export type CounterCustomer = {
  readonly state: (typeof customerStates)[number];
  /** Empty if the biller returns no name. */
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  /** Why the biller rejected the customer. */
  readonly message?: string | undefined;
};

/** Amounts in kobo. */
type CounterQuote = {
  readonly kind: 'quote';
  readonly environment: Environment;
  readonly charge: bigint;
  /** What the wallet can spend now. */
  readonly available: bigint;
  readonly customer: CounterCustomer;
};

type CounterSale = {
  readonly kind: 'sale';
  readonly id: string;
  readonly status: PurchaseStatus;
  readonly reason: string | undefined;
  readonly isNew: boolean;
};

/** Only in a gateway. */
export type Counter = {
  quote(purchase: CounterPurchase): Promise<CounterQuote | Refused | Ended>;
  buy(purchase: CounterPurchase, reference: string): Promise<CounterSale | Refused | Ended | Unknown>;
};

type Needs = { readonly counter?: Counter };

const fields = {
  merchant: merchantField,
  credential: credentialField,
  product: oneOf(products),
  network: text('the network or the biller, such as MTN or IKEJA'),
  plan: Type.Optional(text('the code of a plan, for data and bills')),
  amount: { ...amountField, description: 'the face value in naira, such as 100 or 99.50' },
  number: text('a mobile number such as 08031234567, or the number of a meter, smartcard or account'),
  phone: Type.Optional(text('for bills: the mobile number of the customer', { maxLength: 20 })),
};

const portal = { roles: ['finance'] } as const;
const document = 'merchants/portal.md';

const quotePurchaseOperation = defineOperation({
  name: 'merchant_purchase.quote',
  kind: 'question',
  summary: 'price a purchase for a merchant, and verify the customer of a bill',
  roles: admins,
  onlyInGateway: true,
  portal,
  route: 'GET /merchants/{merchant}/purchases/quote',
  document,
  input: inputOf(fields),
  output: Type.Object({
    environment: environmentField,
    amount: amountOutput,
    charge: amountOutput,
    /** What the wallet can spend now. */
    available: amountOutput,
    /** The available balance after the purchase. Negative if the wallet cannot pay. */
    remaining: amountOutput,
    customer: nullable(
      Type.Object({
        state: oneOf(['verified', 'rejected', 'unavailable']),
        name: nullableText,
        address: nullableText,
        message: nullableText,
      }),
    ),
  }),
  run: async ({ sql, counter }: Asking & Needs, { merchant, ...purchase }) => {
    await requireUnboundCredential(sql, purchase.credential, merchant);
    const quote = done(await counter?.quote(purchase), purchase);
    const { environment, charge, available, customer } = quote;
    const { state, name, address, message } = customer;
    return {
      environment,
      amount: purchase.amount,
      charge: formatAmount(charge),
      available: formatAmount(available),
      remaining: formatAmount(available - charge),
      customer:
        state === 'none'
          ? null
          : { state, name: name ?? null, address: address ?? null, message: message ?? null },
    };
  },
});

const buyPurchaseOperation = defineOperation({
  name: 'merchant_purchase.buy',
  kind: 'task',
  summary: "buy for a merchant with one of its credentials, from the merchant's wallet",
  roles: admins,
  onlyInGateway: true,
  portal,
  confirm: 'The purchase is paid from the wallet of the merchant. Buy it?',
  route: 'POST /merchants/{merchant}/purchases/buy',
  document,
  input: inputOf({
    ...fields,
    reference: text('a reference of your own, new for each purchase', { maxLength: 100 }),
  }),
  output: Type.Object({
    id: Type.String(),
    reference: Type.String(),
    status: oneOf(['pending', 'success', 'failed']),
    reason: nullableText,
    /** False: the reference already bought the same before. */
    created: Type.Boolean(),
  }),
  run: async ({ database, actor, counter }: Tasking & Needs, { merchant, reference, ...purchase }) => {
    const { credential, product, network, amount } = purchase;
    await database.transaction(async (tx) => {
      await requireUnboundCredential(tx, credential, merchant);
      // Recorded before the purchase, so that one whose answer is lost is in the audit log too.
      await recordOperation(tx, {
        actor,
        action: 'merchant_purchase.buy',
        subject: `credential:${credential}`,
        after: { reference, product, network, amount },
      });
    });
    const { id, status, reason, isNew } = done(await counter?.buy(purchase, reference), purchase);
    return { id, reference, status, reason: reason ?? null, created: isNew };
  },
});

export const counterOperations = [quotePurchaseOperation, buyPurchaseOperation] as const;

function done<Done extends { readonly kind: 'quote' | 'sale' }>(
  answer: Done | Refused | Ended | Unknown | undefined,
  { credential: keyId }: CounterPurchase,
): Done {
  if (answer === undefined) throw new OperationError({ code: 'api_silent' });
  if (answer.kind === 'ended') throw new OperationError({ code: 'credential_ended', keyId });
  if (answer.kind === 'unknown') throw new OperationError({ code: 'purchase_unknown' });
  if (answer.kind === 'refused') {
    const { reason, message } = answer;
    throw new OperationError({ code: 'purchase_refused', reason, message });
  }
  return answer;
}
