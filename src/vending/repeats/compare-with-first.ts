/**
 * What a request under a used reference has otherwise than the first purchase under it. It is asked
 * only where the request is refused, and it compares with what is stored: so it holds after a
 * restart, and of what was erased since it says that nobody can say.
 */
import type { KeyObject } from 'node:crypto';
import type { Sql } from '../../db/database.ts';
import type { PurchaseRole, Repeat } from '../../kernel/request-fault.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { destinationPlace } from '../../messages/destination.ts';
import { isOrderProduct, parseVendProduct } from '../../products/product.ts';
import { hashVoucherCode } from '../../vouchers/voucher-code.ts';
import { orderJudges } from './compare-order.ts';
import { type PlanFinder, transactionJudges } from './compare-transaction.ts';
import { type FirstPurchaseRow, findFirstPurchase } from './first-purchase-store.ts';
import { isSameWord, type JudgeField, judgeSent, type SentPurchase, sameOr } from './sent-purchase.ts';

export type RepeatComparer = {
  readonly sql: Sql;
  readonly catalog: PlanFinder;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly pepper: KeyObject;
};

type Judges = { readonly [Role in PurchaseRole]?: JudgeField };

/** In the order in which they are told. */
const roles = [
  'merchant',
  'product',
  'network',
  'customer',
  'plan',
  'amount',
  'phone',
  'quantity',
  'cardValue',
  'channel',
  'address',
  'voucher',
] as const satisfies readonly PurchaseRole[];

/** What a provider's list does not say of a purchase that was brought back from it. */
const guessed: ReadonlySet<PurchaseRole> = new Set(['plan', 'phone', 'channel', 'address', 'voucher']);

/** `vendId` is a vend of the principal; undefined where there is none. */
export async function compareWithFirst(
  comparer: RepeatComparer,
  principal: Principal,
  vendId: string,
  sent: SentPurchase,
): Promise<Repeat | undefined> {
  const { merchant, environment } = principal;
  const first = await findFirstPurchase(comparer.sql, { merchantId: merchant.id, environment, vendId });
  if (first === undefined) return undefined;
  const judges = judgesOf(comparer, principal, vendId, first, sent);
  const isRestored = first.credential_id === 'restore';
  const differing: PurchaseRole[] = [];
  const unknown: PurchaseRole[] = [];
  for (const role of roles) {
    const [values, judge] = [sent[role], judges[role]];
    const verdict = values === undefined || judge === undefined ? 'same' : judgeSent(values, judge);
    if (verdict === 'same') continue;
    const isGuessed = isRestored && guessed.has(role);
    (verdict === 'unknown' || isGuessed ? unknown : differing).push(role);
  }
  return { differing, unknown };
}

/** Where one of the two is an order and the product is another, nothing else can be compared. */
function judgesOf(
  { catalog, sealer, pepper }: RepeatComparer,
  { merchant, environment }: Principal,
  vendId: string,
  first: FirstPurchaseRow,
  sent: SentPurchase,
): Judges {
  const isProduct: JudgeField = (text) =>
    sameOr(text !== undefined && parseVendProduct(text) === first.product);
  const common: Judges = {
    merchant: (text) => sameOr(text !== undefined && isSameWord(text, merchant.code)),
    product: isProduct,
  };
  const product = parseVendProduct(String(sent.product?.[0]));
  const isOrder = isOrderProduct(first.product);
  const isSentOrder = product !== undefined && isOrderProduct(product);
  if (isOrder !== isSentOrder || (isOrder && product !== first.product)) return common;
  if (!isOrder) return { ...common, ...transactionJudges(catalog, first) };
  const order = {
    hashCode: (code: string) => hashVoucherCode(pepper, environment, code),
    openDestination: (sealed: string) => sealer.open(destinationPlace(vendId), sealed),
  };
  return { ...common, ...orderJudges(order, first, sent.channel?.[0]) };
}
