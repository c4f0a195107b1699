/**
 * Settles a pending purchase by hand (settle-purchase.ts in the parent folder). Its provider is
 * queried first if possible, because its answer is better evidence than a person's report.
 */
import { Type } from 'typebox';
import { accountOutput } from '../../../core/account-names.ts';
import { OperationError } from '../../../core/errors.ts';
import { formatAmount, parseAmount, requireFormatted } from '../../../core/money.ts';
import { defineOperation, supportersAndTreasurers } from '../../../core/operation.ts';
import {
  amountOutput,
  environmentField,
  inputOf,
  keyField,
  oneOf,
  text,
} from '../../../core/operation-fields.ts';
import type { Sealer } from '../../../core/sealing.ts';
import type { TypedKind } from '../../../core/typed-number.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { type Asker, queryPurchase } from '../query-purchase.ts';
import { settlePurchase } from '../settle-purchase.ts';
import type { PurchaseKey } from '../unresolved-store.ts';

type Settling = Acting & { readonly sealer: () => Promise<Sealer> };

/** After this time the provider's answer is not awaited. */
const ASK_MS = 10_000;

const ends = ['success', 'failed'] as const;

export const settlePurchaseOperation = defineOperation({
  name: 'purchase.settle',
  kind: 'act',
  summary:
    "settle a pending purchase with evidence from the provider's support: a success takes the held money, a failure releases it; it cannot be changed later",
  roles: supportersAndTreasurers,
  route: 'POST /purchases/{reference}/settle',
  document: 'operators/unresolved.md',
  movesMoney: true,
  input: inputOf({
    ...purchaseFields,
    outcome: oneOf(ends),
    evidence: text(
      'the person who reported it and where to look it up, in 1 to 500 characters of plain text',
      {
        maxLength: 500,
      },
    ),
    cost: Type.Optional(
      Type.String({
        'x-typed': 'naira' satisfies TypedKind,
        description: 'what the provider charged for a success, such as 48.50, or 0',
        pattern: '^(?:0|[1-9][0-9]{0,9})(?:\\.[0-9]{1,2})?$',
      }),
    ),
    override: Type.Optional(
      Type.Boolean({
        description: "true to do it against the provider's own word, once a second person has approved it",
        default: false,
      }),
    ),
    key: keyField,
  }),
  output: Type.Object({
    id: Type.String(),
    reference: Type.String(),
    merchant: Type.String(),
    environment: environmentField,
    outcome: oneOf(ends),
    /** The refund of a failure to the merchant. */
    charge: amountOutput,
    provider: accountOutput,
    /** The product brings a token, which is still missing. */
    token_owed: Type.Boolean(),
  }),
  needsApproval: ({ override = false }) => override,
  gives: ({ outcome }, { environment, charge }) => ({
    environment,
    currency: 'NGN',
    amount: outcome === 'failed' ? requireFormatted(charge) : 0n,
  }),
  before: async (asker: Asker, { outcome, cost, ...named }) => {
    requireCostOfSuccess(outcome, cost);
    const {
      merchant_id: merchantId,
      environment,
      id: purchaseId,
    } = await requirePurchase(asker.database, named);
    await askFirst(asker, { merchantId, environment, purchaseId });
  },
  run: async ({ tx, actor, sealer }: Settling, { outcome, evidence, cost, override = false, ...named }) => {
    requireCostOfSuccess(outcome, cost);
    const purchase = await requirePurchase(tx, named);
    const { id, merchant_id: merchantId, environment } = purchase;
    const { tokenOwed, provider } = await settlePurchase(
      tx,
      await sealer(),
      { merchantId, environment, purchaseId: id },
      { status: outcome, evidence, cost: readCost(cost), override },
      actor,
    );
    return {
      id,
      reference: purchase.reference,
      merchant: purchase.merchant_code,
      environment,
      outcome,
      charge: formatAmount(purchase.charge),
      provider,
      token_owed: tokenOwed,
    };
  },
});

function requireCostOfSuccess(outcome: 'success' | 'failed', cost: string | undefined): void {
  if (outcome === 'failed' && cost !== undefined) throw new OperationError({ code: 'cost_of_nothing' });
}

/** Zero if the provider returned its money. */
function readCost(cost: string | undefined): bigint | undefined {
  return cost === undefined ? undefined : (parseAmount(cost) ?? 0n);
}

/** Throws OperationError `provider_decided` if the answer has made it final. */
async function askFirst(asker: Asker, purchase: PurchaseKey): Promise<void> {
  try {
    const { provider, status } = await queryPurchase(asker, purchase, ASK_MS);
    if (status !== 'pending') throw new OperationError({ code: 'provider_decided', provider, status });
  } catch (error) {
    if (!isNotQueryable(error)) throw error;
  }
}

/** The operation itself reports why it cannot be settled. */
function isNotQueryable(error: unknown): boolean {
  const unaskable = ['no_purchase', 'purchase_final', 'order_not_sent', 'nobody_can_ask'];
  return error instanceof OperationError && unaskable.includes(error.details.code);
}
