/**
 * Enters an order that is unknown here: by the mark of its reference, or for the merchant that the
 * operator names. The operator also gives the data that the provider does not list.
 */
import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import { loadCatalog } from '../../../catalog/catalog.ts';
import { accountField, accountOutput } from '../../../core/account-names.ts';
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
  summary:
    'enter an order that is unknown here as a purchase of its merchant, or of the merchant that you name',
  roles: treasurers,
  route: 'POST /findings/{provider}/{order}/enter',
  document: 'operators/reconciliation.md',
  input: inputOf({
    provider: accountField(),
    order: text('our reference at the provider, from the list of findings'),
    merchant: Type.Optional(merchantField),
    reference: Type.Optional(
      text("the merchant's reference of the purchase; required if the order's reference has no mark of ours"),
    ),
    product: Type.Optional(oneOf(productNames)),
    network: Type.Optional(text('a network or a biller')),
    plan: Type.Optional(text('the code of a plan in the catalog')),
    amount: Type.Optional(amountField),
    recipient: Type.Optional(text('a phone, meter, smartcard or account number')),
  }),
  output: Type.Object({
    provider: accountOutput,
    order: Type.String(),
    purchase: Type.String(),
    /** `entered`: as a purchase. `attempt`: recorded at a known purchase. */
    verdict: oneOf(['entered', 'attempt']),
  }),
  run: async (
    { database, actor, pepper }: Tasking & { readonly pepper: () => Promise<KeyObject> },
    { provider, order: reference, amount, ...manual },
  ) => {
    keyMarks(await pepper());
    const isMarked = readMark(reference) !== undefined;
    for (const field of isMarked ? [] : (['merchant', 'reference'] as const)) {
      if (manual[field] !== undefined) continue;
      const wanted = `given, because the order's reference does not contain its ${field}`;
      throw new OperationError({ code: 'input_malformed', errors: [{ field, kind: 'missing', wanted }] });
    }
    const { product, network, plan, recipient } = manual;
    const faceValue = amount === undefined ? undefined : parseAmount(amount);
    const settled = await settleByHand(
      { database, actor, catalog: await loadCatalog(database) },
      { provider, reference },
      {
        merchant: manual.merchant,
        reference: manual.reference,
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
