/** Describes an approval request from its input and the money that it gives away. */

import type { Environment } from '../../core/environment.ts';
import { formatAmount } from '../../core/money.ts';
import type { Gift } from '../../core/operation.ts';
import type { Tx } from '../../db/database.ts';
import { findDeposit } from '../../funding/deposit-store.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import type { About } from '../../oversight/approvals/approval-answer.ts';
import { worthInNaira } from '../../oversight/approvals/bound-gifts.ts';
import { type NamedPurchase, requirePurchase } from '../../purchases/history/find-purchase.ts';

/** The input fields that name the subject of an operation. */
type Named = Partial<NamedPurchase> & { readonly deposit?: string; readonly list?: string };

/** Throws OperationError if the purchase does not exist, as the operation would. */
export async function aboutAsked(tx: Tx, input: Named, gift: Gift | undefined): Promise<About> {
  const { reference } = input;
  const purchase = reference === undefined ? undefined : await requirePurchase(tx, { ...input, reference });
  const deposit = input.deposit === undefined ? undefined : await findDeposit(tx, input.deposit);
  const code = purchase?.merchant_code ?? input.merchant;
  const merchant = code === undefined ? undefined : await findMerchant(tx, code);
  return {
    merchant: merchant === undefined ? null : { code: merchant.code, name: merchant.name },
    purchase:
      purchase === undefined
        ? null
        : {
            id: purchase.id,
            reference: purchase.reference,
            product: purchase.product,
            network: purchase.network,
            charge: formatAmount(purchase.charge),
          },
    deposit:
      deposit === undefined
        ? null
        : { id: deposit.id, provider: deposit.provider, provider_reference: deposit.provider_reference },
    price_list: input.list ?? null,
    ...(await moneyOf(tx, input.environment, gift)),
  };
}

async function moneyOf(
  tx: Tx,
  named: Environment | undefined,
  gift: Gift | undefined,
): Promise<Pick<About, 'environment' | 'amount' | 'currency' | 'naira'>> {
  const environment = gift?.environment ?? named ?? null;
  if (gift === undefined || gift.amount === 'any' || gift.amount === 0n) {
    return { environment, amount: null, currency: null, naira: null };
  }
  const { amount, currency } = gift;
  const worth = await worthInNaira(tx, gift);
  const naira = worth === undefined ? null : formatAmount(amount < 0n ? -worth : worth);
  return { environment, amount: formatAmount(amount), currency, naira };
}
