/**
 * The goods of a purchase that its merchant may see, by name. Other values of a connector stay
 * internal. Pure.
 */
import type { Goods } from '../../providers/provider.ts';

const told: ReadonlySet<string> = new Set<keyof Goods>([
  'token',
  'units',
  'bonus_token',
  'kct1',
  'kct2',
  'payment_spent_on',
  'customer_name',
  'cards',
  'pins',
  'iccid',
  'activation_code',
  'smdp_address',
  'lpa',
  'redemption_instructions',
  'reference_code',
]);

export function isVisibleGoods(name: string): boolean {
  return told.has(name);
}

export function visibleGoods(goods: Goods): Record<string, unknown> {
  return Object.fromEntries(Object.entries(goods).filter(([name]) => isVisibleGoods(name)));
}
