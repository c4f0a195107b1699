/**
 * Enters an order that was left by hand: a person says whose it is, or what its provider's list
 * does not say.
 */
import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import type { Tasking } from '../../audit-log/acting.ts';
import { loadCatalog } from '../../catalog/catalog.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import { OperationError } from '../../kernel/errors.ts';
import { type Currency, parseAmount } from '../../kernel/money.ts';
import { defineOperation, treasurers } from '../../kernel/operation.ts';
import { amountField, inputOf, merchantField, oneOf, text } from '../../kernel/operation-fields.ts';
import { vendProducts } from '../../products/product.ts';
import { keyMarks, readMark } from '../../providers/reference-mark.ts';
import type { StatementLine } from '../../statements/statement-line.ts';
import { findFence } from '../fence-store.ts';
import { type FoundOrderRow, findLeftOrder } from '../found-order-store.ts';
import { leftWords } from '../left-words.ts';
import { enterOrders } from '../reconcile-restore.ts';

export const assignFoundOperation = defineOperation({
  name: 'restore.assign',
  kind: 'task',
  summary: 'enter an order that reconcile left, by saying whose it is and what its list does not say',
  roles: treasurers,
  route: 'POST /restore/orders/{provider}/{order}/assign',
  document: 'operators/restore.md',
  input: inputOf({
    provider: text('the name of a provider'),
    order: text('our reference at the provider, as oja restore found has it'),
    merchant: merchantField,
    reference: Type.Optional(
      text("the merchant's own reference of the purchase; needed where the order's own says nothing of it"),
    ),
    product: Type.Optional(oneOf(vendProducts)),
    network: Type.Optional(text('a network or a biller')),
    plan: Type.Optional(text('the code of a plan of the catalog')),
    amount: Type.Optional(amountField),
    recipient: Type.Optional(text('a phone, meter, smartcard or account number')),
  }),
  output: Type.Object({
    provider: Type.String(),
    order: Type.String(),
    merchant: Type.String(),
    vend: Type.String(),
  }),
  run: async (
    { database, actor, pepper }: Tasking & { readonly pepper: () => Promise<KeyObject> },
    input,
  ) => {
    keyMarks(await pepper());
    const { provider, order: reference, merchant, amount, product, network, plan, recipient } = input;
    const fence = await findFence(database);
    if (fence === undefined) throw new OperationError({ code: 'no_fence' });
    const left = await findLeftOrder(database, provider, reference);
    if (left === undefined) throw new OperationError({ code: 'no_found_order', provider, reference });
    const read = readMark(reference);
    if (input.reference === undefined && read === undefined) {
      const wanted = "the merchant's own reference of the purchase";
      throw new OperationError({
        code: 'input_malformed',
        faults: [{ field: 'reference', kind: 'missing', wanted }],
      });
    }
    const line = lineOf(left);
    const isOver = line.state === 'failed' || line.state === 'reversed';
    const given = {
      product,
      network,
      plan,
      recipient,
      amount: amount === undefined ? undefined : parseAmount(amount),
    };
    const catalog = await loadCatalog(database);
    const settled = await enterOrders(
      { database, catalog },
      { database, fenceId: fence.id, apply: true, actor },
      [{ provider, reference, line, read, isOver }],
      { code: merchant },
      { mark: read?.mark, reference: input.reference, given },
    );
    if (settled.verdict === 'left' || settled.vendId === undefined) {
      throw new OperationError({ code: 'found_order_unassignable', reason: leftWords(settled.reason ?? '') });
    }
    await database.transaction((tx) => announceChange(tx, 'fence'));
    return { provider, order: reference, merchant, vend: settled.vendId };
  },
});

/** As it was listed; what is stored of it is what `listedOf` wrote. */
function lineOf({ reference, listed }: FoundOrderRow): StatementLine {
  const told = (name: string): string | undefined => {
    const value = listed[name];
    return typeof value === 'string' ? value : undefined;
  };
  const [amount, product, network, recipient] = ['amount', 'product', 'network', 'recipient'].map(told);
  const kobo = amount === undefined ? undefined : parseAmount(amount);
  const item = listed.item as StoredItem | undefined;
  const unitPrice = item?.unitPrice === undefined ? undefined : parseAmount(item.unitPrice);
  const amountCurrency = told('amount_currency');
  return {
    line: 0,
    reference,
    words: told('words') ?? '',
    at: new Date(told('at') ?? 0),
    state: (told('state') ?? 'pending') as StatementLine['state'],
    currency: (told('currency') ?? 'NGN') as Currency,
    ...(product !== undefined && { product }),
    ...(network !== undefined && { network }),
    ...(recipient !== undefined && { recipient }),
    ...(kobo !== undefined && { amount: kobo }),
    ...(amountCurrency !== undefined && { amountCurrency }),
    ...(item && {
      item: {
        planCodes: item.planCodes,
        quantity: item.quantity,
        ...(unitPrice !== undefined && { unitPrice }),
      },
    }),
  };
}

type StoredItem = {
  readonly planCodes: Readonly<Record<string, string>>;
  readonly quantity: number;
  readonly unitPrice?: string;
};
