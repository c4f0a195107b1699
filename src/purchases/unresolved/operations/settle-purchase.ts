/**
 * Settles a pending purchase by the report of its provider's support: success, and its money is
 * taken, or failed, and the money is returned. Its provider is queried first if possible, because
 * its answer is better evidence than a person's report.
 *
 * Guarantees: it takes effect like any answer, through resolve, and so once, whatever the provider
 * answers at the same moment. The provider's own answer prevails over a person, unless two people
 * override it. The evidence is stored with it. A purchase that a gateway may be sending is not
 * changed. A purchase that was never sent can only fail.
 */
import { Type } from 'typebox';
import { accountOutput } from '../../../core/account-names.ts';
import type { ActorOrName } from '../../../core/actor.ts';
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
import { isSealed } from '../../../core/products/registry.ts';
import type { Sealer } from '../../../core/sealing.ts';
import type { TypedKind } from '../../../core/typed-number.ts';
import type { Tx } from '../../../db/database.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { deliveredEffect, settleVoucher } from '../../engine/resolve-purchase.ts';
import type { ResolveEffect } from '../../engine/resolve-store.ts';
import { deliveredOf, resolveByHand, settlerOf } from '../../goods/resolve-by-hand.ts';
import { lockPurchaseToSettle, type PurchaseToSettle } from '../../goods/settle-store.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { operatorCode, overrideCode } from '../../state/operator-word.ts';
import { type Asker, queryPurchase } from '../query-purchase.ts';
import { overrideEvidence, type PurchaseKey, readProvidersWord } from '../unresolved-store.ts';

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

export type Settlement = {
  readonly status: 'success' | 'failed';
  /** The source of the report, and where it can be looked up. */
  readonly evidence: string;
  /** For a success: the provider's charge, if known. */
  readonly cost?: bigint | undefined;
  /** Also against the provider's own word. */
  readonly override: boolean;
};

/** The attempt that the report is about: the last one. */
type Spoken = { readonly attempt: number; readonly provider: string; readonly isUnsent: boolean };

/** A missing token is queried automatically, and can be added. */
const ASK_AFTER_MS = 5_000;

/** `tokenOwed`: the product brings a token, which is still missing. */
export async function settlePurchase(
  tx: Tx,
  sealer: Pick<Sealer, 'seal'>,
  purchase: PurchaseKey,
  settlement: Settlement,
  actor: ActorOrName,
): Promise<{ readonly tokenOwed: boolean; readonly provider: string }> {
  const { status, evidence, cost, override } = settlement;
  const found = await lockPurchaseToSettle(tx, purchase);
  if (found === undefined) throw new OperationError({ code: 'no_purchase', purchase: purchase.purchaseId });
  const spoken = judge(found, status);
  const { attempt, provider, isUnsent } = spoken;
  const isOverridden = await isAgainstProvider(tx, purchase, spoken, settlement);
  if (isOverridden) await overrideEvidence(tx, purchase);
  const settler = await settlerOf(tx, sealer, purchase, provider);
  const delivered = deliveredOf(purchase, found, provider);
  const tokenOwed = status === 'success' && found.details?.goodsOwed === 'token';
  const success = (): ResolveEffect => ({
    ...deliveredEffect(settler, delivered, { cost, goods: undefined }),
    ...(tokenOwed && { goodsDueMs: ASK_AFTER_MS }),
  });
  const failure = (): ResolveEffect => ({
    kind: 'fail',
    reason: isUnsent ? 'not_sent' : 'refused',
    telcoMessage: undefined,
    voucher: settleVoucher(settler, delivered, 'failed'),
  });
  await resolveByHand(tx, purchase, found, {
    attempt,
    provider,
    kind: status === 'success' ? 'success' : isUnsent ? 'not_sent' : 'failed',
    code: isOverridden ? overrideCode : operatorCode,
    message: evidence,
    effect: status === 'success' ? success() : failure(),
  });
  await recordOperation(tx, {
    actor,
    action: 'purchase.settle',
    subject: `purchase:${purchase.purchaseId}`,
    before: { status: 'pending' },
    after: { status, provider, evidence, ...(override && { overridden: isOverridden }) },
  });
  return { tokenOwed, provider };
}

function judge(found: PurchaseToSettle, status: Settlement['status']): Spoken {
  const { attempt, provider, step, product, route } = found;
  if (found.status !== null) throw new OperationError({ code: 'purchase_final', status: found.status });
  if (found.being_sent) throw new OperationError({ code: 'purchase_being_sent' });
  const isSent = attempt !== null && provider !== null;
  if (status === 'success') {
    if (!isSent || step === 'send') throw new OperationError({ code: 'order_not_sent' });
    if (isSealed(product)) throw new OperationError({ code: 'goods_are_sealed' });
  }
  return isSent
    ? { attempt, provider, isUnsent: false }
    : { attempt: 0, provider: route.split(',')[0] ?? '', isUnsent: true };
}

/**
 * Throws OperationError `provider_says_otherwise` if it contradicts the provider and may not
 * override it.
 */
async function isAgainstProvider(
  tx: Tx,
  purchase: PurchaseKey,
  { attempt, provider }: Spoken,
  { status, override }: Settlement,
): Promise<boolean> {
  const { delivered, refused } = await readProvidersWord(tx, purchase, attempt);
  if (status === 'failed' && delivered !== null) {
    if (override) return true;
    throw new OperationError({ code: 'provider_says_otherwise', provider: delivered, said: 'success' });
  }
  if (status === 'success' && delivered === null && refused !== null) {
    if (override) return true;
    throw new OperationError({ code: 'provider_says_otherwise', provider, said: refused });
  }
  return false;
}
