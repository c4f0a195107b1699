/**
 * Describes how a request with a used reference differs from the first purchase. Only the names of
 * fields are returned, never their values.
 */
import { listWords } from '../../core/list-words.ts';
import type { PurchaseRole, Repeat } from '../../core/request-fault.ts';
import type { ErrorSubject } from './refusals.ts';

const names: Readonly<Record<Exclude<PurchaseRole, 'plan'>, string>> = {
  merchant: 'merchant',
  product: 'product',
  network: 'network',
  customer: 'msisdn',
  kind: 'kind',
  amount: 'amount',
  phone: 'phone',
  quantity: 'quantity',
  cardValue: 'face_value',
  channel: 'send_via',
  address: 'destination',
  voucher: 'code',
};

/** `planName` is the route's field for a plan. */
export function repeatMessage(repeat: Repeat | undefined, planName: string): string {
  const advice = 'Nothing was charged again. Query its status.';
  if (repeat === undefined) return `This reference was used before. ${advice}`;
  const { differing, unknown } = nameFields(repeat, planName);
  if (differing.length > 0) {
    const fields = listWords(differing, 'and');
    return `This reference was used before with a different ${fields}. Nothing was charged again. Use a new reference for a new purchase.`;
  }
  if (unknown.length > 0) {
    const fields = listWords(unknown, 'and');
    return `This reference was used before. The first ${fields} is no longer stored and could not be compared. ${advice}`;
  }
  return `This reference was used before for the same purchase. ${advice}`;
}

/** Leaves `differs` out if no compared field differs and some could not be compared. */
export function repeatFields(repeat: Repeat | undefined, planName: string): ErrorSubject {
  if (repeat === undefined) return {};
  const { differing, unknown } = nameFields(repeat, planName);
  const differs = differing.length > 0;
  return {
    ...((differs || unknown.length === 0) && { differs }),
    differing_fields: [...differing],
    ...(unknown.length > 0 && { uncompared_fields: [...unknown] }),
  };
}

function nameFields(
  { differing, unknown }: Repeat,
  planName: string,
): { readonly differing: readonly string[]; readonly unknown: readonly string[] } {
  const nameOf = (role: PurchaseRole): string => (role === 'plan' ? planName : names[role]);
  return { differing: differing.map(nameOf), unknown: unknown.map(nameOf) };
}
