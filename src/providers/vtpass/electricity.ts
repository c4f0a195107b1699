/**
 * Electricity at VTpass. The goods of a prepaid purchase are usually at the top level of its reply.
 * Companies name the fields differently, so all known spellings are read. Pure.
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

/** Returns the kind of meter, which is the variation of an electricity service. */
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
  // Each of these fields may have other text. The first one with a token counts.
  const texts = ['token', 'mainToken', 'purchased_code'];
  const named = look(keyChangeTokens, ...texts) ?? look(allTokens, 'kct', 'keyChangeToken') ?? [];
  // The later two names are Ikeja's.
  const kct1 = look(meterToken, 'kct1', 'keyChangeToken1', 'resetToken') ?? named[0];
  const kct2 = look(meterToken, 'kct2', 'keyChangeToken2', 'configureToken') ?? named[1];
  const keyChange = { kct1: kct1 ?? order.customer?.kct1, kct2: kct2 ?? order.customer?.kct2 };
  const isKeyChange = (one: string): boolean => one === keyChange.kct1 || one === keyChange.kct2;
  const recharges = look((value) => rechargeTokens(value, isKeyChange), ...texts);
  const [token, second, ...more] = new Set(recharges);
  if (token === undefined) return isSpentOnDebt(order, look) ? { payment_spent_on: 'debt' } : undefined;
  // Two of three tokens can be key change tokens.
  if (more.length > 0) return undefined;
  // Some companies write two tokens in one text. The second is the bonus.
  const bonus_token = look((value) => rechargeTokens(value, isKeyChange), 'bonusToken')?.[0] ?? second;
  const units = look(unitCount, 'units', 'mainTokenUnits', 'PurchasedUnits');
  return {
    token,
    ...(units && { units }),
    ...(bonus_token && bonus_token !== token && { bonus_token }),
    ...(keyChange.kct1 && { kct1: keyChange.kct1 }),
    ...(keyChange.kct2 && { kct2: keyChange.kct2 }),
  };
}

/** Reads the first of the named fields that has a readable value. */
type Look = <T>(read: (value: unknown) => T | undefined, ...names: readonly string[]) => T | undefined;

/** Looks in the reply, then in its transaction, then in the extras, as requeries have them. */
function lookIn(body: Body): Look {
  const content = isBody(body.content) ? body.content : {};
  const transaction = isBody(content.transactions) ? content.transactions : {};
  const finders = [body, transaction, extrasOf(transaction)].map(fieldFinder);
  return (read, ...names) => {
    for (const find of finders) {
      for (const name of names) {
        const value = read(find(name));
        if (value !== undefined) return value;
      }
    }
    return undefined;
  };
}

/** Reads the extras, also as JSON in a text. Any other text is the purchased code. */
function extrasOf({ extras }: Body): Body {
  if (isBody(extras)) return extras;
  if (typeof extras !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(extras);
    if (isBody(parsed)) return parsed;
  } catch {
    // The text is not JSON.
  }
  return { purchased_code: extras };
}

/** Reads the tokens in a text, without those that a field marks as key change tokens. */
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

function allTokens(value: unknown): readonly string[] | undefined {
  const { recharge, keyChange } = meterTokens(value);
  const all = [...keyChange, ...recharge];
  return all.length === 0 ? undefined : all;
}

/**
 * Tells whether the whole payment cleared arrears, so that no token is owed: either the whole
 * amount was applied, or a part was and VTpass reports no amount for energy. `debtAmount` by itself
 * may be what is still owed.
 */
function isSpentOnDebt(order: ProviderOrder, look: Look): boolean {
  const applied = look(minorUnits, 'appliedToArrears') ?? 0n;
  if (applied >= order.amount) return true;
  const debt = look(minorUnits, 'debtAmount') ?? 0n;
  return look(minorUnits, 'tokenAmount') === 0n && (applied > 0n || debt > 0n);
}
