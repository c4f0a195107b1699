/**
 * Electricity at VTpass. The goods of a prepaid purchase are at the top level of its reply, as a
 * rule. The fields differ from company to company, so all known spellings are read. Pure.
 */
import {
  type Body,
  fieldFinder,
  isBody,
  meterToken,
  meterTokens,
  minorUnits,
  unitCount,
} from '../http/reply-fields.ts';
import type { CustomerQuery, Goods, ProviderOrder } from '../provider.ts';
import type { VtpassBill } from './bills.ts';

export const electricity: VtpassBill = {
  toPurchase: (order, common) => {
    const variation_code = meterKindOf(order);
    return variation_code === undefined ? { lacks: 'code' } : { body: { ...common, variation_code } };
  },

  toVerification: (query, common) => {
    const type = meterKindOf(query);
    return type === undefined ? undefined : { ...common, type };
  },

  readGoods,
};

/** Prepaid or postpaid is the variation of an electricity service; undefined for anything else. */
export function meterKindOf({
  product,
  planCodes,
}: Pick<CustomerQuery, 'product' | 'planCodes'>): 'prepaid' | 'postpaid' | undefined {
  const kind = planCodes?.variation_code;
  return product === 'ELECTRICITY' && (kind === 'prepaid' || kind === 'postpaid') ? kind : undefined;
}

function readGoods(order: ProviderOrder, body: Body): Goods | undefined {
  if (meterKindOf(order) !== 'prepaid') return undefined;
  const look = lookIn(body);
  // Each of these may hold other text. The first one with a token counts.
  const texts = ['token', 'mainToken', 'purchased_code'];
  const named = look(keyChangeTokens, ...texts) ?? [];
  // Ikeja's names for the two key change tokens are the later ones.
  const kct1 = look(meterToken, 'kct1', 'keyChangeToken1', 'resetToken') ?? named[0];
  const kct2 = look(meterToken, 'kct2', 'keyChangeToken2', 'configureToken') ?? named[1];
  const keyChange = { kct1: kct1 ?? order.customer?.kct1, kct2: kct2 ?? order.customer?.kct2 };
  const isKeyChange = (one: string): boolean => one === keyChange.kct1 || one === keyChange.kct2;
  const recharges = look((value) => rechargeTokens(value, isKeyChange), ...texts);
  const [token, second, ...more] = recharges ?? [];
  if (token === undefined) return isSpentOnDebt(order, look) ? { payment_spent_on: 'debt' } : undefined;
  // Some companies write two tokens into one text: the second is the bonus.
  const bonus_token = look(meterToken, 'bonusToken') ?? (more.length === 0 ? second : undefined);
  const units = look(unitCount, 'units', 'mainTokenUnits', 'PurchasedUnits');
  return {
    token,
    ...(units && { units }),
    ...(bonus_token && bonus_token !== token && { bonus_token }),
    ...(keyChange.kct1 && { kct1: keyChange.kct1 }),
    ...(keyChange.kct2 && { kct2: keyChange.kct2 }),
  };
}

/** What the first of these fields says that says anything. */
type Look = <T>(read: (value: unknown) => T | undefined, ...names: readonly string[]) => T | undefined;

/** At the top level of a reply. A requery may have them in the transaction, or in its extras. */
function lookIn(body: Body): Look {
  const content = isBody(body.content) ? body.content : {};
  const transaction = isBody(content.transactions) ? content.transactions : {};
  const finders = [body, transaction, extrasOf(transaction)].map(fieldFinder);
  return (read, ...names) => {
    for (const find of finders) {
      for (const name of names) {
        const told = read(find(name));
        if (told !== undefined) return told;
      }
    }
    return undefined;
  };
}

/** Fields, also as JSON in a text; any other text is read as what was bought. */
function extrasOf({ extras }: Body): Body {
  if (isBody(extras)) return extras;
  if (typeof extras !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(extras);
    if (isBody(parsed)) return parsed;
  } catch {
    // No JSON.
  }
  return { purchased_code: extras };
}

/** The tokens in a text, but for those that it or another field names as tokens of a key change. */
function rechargeTokens(
  value: unknown,
  isKeyChange: (token: string) => boolean,
): readonly string[] | undefined {
  const recharge = meterTokens(value).recharge.filter((token) => !isKeyChange(token));
  return recharge.length === 0 ? undefined : recharge;
}

function keyChangeTokens(value: unknown): readonly string[] | undefined {
  const { keyChange } = meterTokens(value);
  return keyChange.length === 0 ? undefined : keyChange;
}

/**
 * Whether all of the payment went to arrears, so that no token is owed. Either as much was applied
 * as was paid, or something was and VTpass says that nothing was left for energy. `debtAmount`
 * alone may be what is still owed.
 */
function isSpentOnDebt(order: ProviderOrder, look: Look): boolean {
  const applied = look(minorUnits, 'appliedToArrears') ?? 0n;
  if (applied >= order.amount) return true;
  const debt = look(minorUnits, 'debtAmount') ?? 0n;
  return look(minorUnits, 'tokenAmount') === 0n && (applied > 0n || debt > 0n);
}
