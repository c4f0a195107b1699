/**
 * Enters an order that is not known here: by the mark of its reference, or for the merchant that a
 * person names. A person also says what its provider does not list.
 */
import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import { loadCatalog } from '../../../catalog/catalog.ts';
import { OperationError } from '../../../core/errors.ts';
import { parseAmount } from '../../../core/money.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import { amountField, inputOf, merchantField, oneOf, text } from '../../../core/operation-fields.ts';
import { productNames } from '../../../core/products/product.ts';
import type { Tasking } from '../../../oversight/log/acting.ts';
import { keyMarks, readMark } from '../../../providers/reference-mark.ts';
import { openReasons } from '../finding.ts';
import { settleByHand } from '../settle-findings.ts';

export const enterFindingOperation = defineOperation({
  name: 'finding.enter',
  kind: 'task',
  summary: 'enter an order that is not known here as a purchase of its merchant, or of the one that you name',
  roles: treasurers,
  route: 'POST /findings/{provider}/{order}/enter',
  document: 'operators/reconciliation.md',
  input: inputOf({
    provider: text('the name of a provider'),
    order: text('our reference at the provider, as oja finding list has it'),
    merchant: Type.Optional(merchantField),
    reference: Type.Optional(
      text("the merchant's own reference of the purchase; needed where the order's own says nothing of it"),
    ),
    product: Type.Optional(oneOf(productNames)),
    network: Type.Optional(text('a network or a biller')),
    plan: Type.Optional(text('the code of a plan of the catalog')),
    amount: Type.Optional(amountField),
    recipient: Type.Optional(text('a phone, meter, smartcard or account number')),
  }),
  output: Type.Object({
    provider: Type.String(),
    order: Type.String(),
    purchase: Type.String(),
    /** entered: as a purchase. attempt: at a purchase that is known. */
    verdict: oneOf(['entered', 'attempt']),
  }),
  run: async (
    { database, actor, pepper }: Tasking & { readonly pepper: () => Promise<KeyObject> },
    { provider, order: reference, amount, ...said },
  ) => {
    keyMarks(await pepper());
    const isMarked = readMark(reference) !== undefined;
    for (const field of isMarked ? [] : (['merchant', 'reference'] as const)) {
      if (said[field] !== undefined) continue;
      const wanted = `given: the order's own reference does not say its ${field}`;
      throw new OperationError({ code: 'input_malformed', errors: [{ field, kind: 'missing', wanted }] });
    }
    const { product, network, plan, recipient } = said;
    const faceValue = amount === undefined ? undefined : parseAmount(amount);
    const settled = await settleByHand(
      { database, actor, catalog: await loadCatalog(database) },
      { provider, reference },
      {
        merchant: said.merchant,
        reference: said.reference,
        given: { product, network, plan, recipient, amount: faceValue },
      },
    );
    if (settled === undefined) throw new OperationError({ code: 'no_finding', provider, reference });
    const { verdict, purchaseId, reason } = settled;
    if (verdict === 'open' || purchaseId === undefined) {
      throw new OperationError({ code: 'finding_not_entered', reason: openReasons[reason ?? 'no_mark'] });
    }
    return { provider, order: reference, purchase: purchaseId, verdict };
  },
});
