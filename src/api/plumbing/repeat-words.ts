/**
 * How a request under a used reference compares with the first purchase, in the words of the wire.
 * Fields are named, and no value is told: the status of the purchase has those.
 */
import { listWords } from '../../core/list-words.ts';
import type { PurchaseRole, Repeat } from '../../core/request-fault.ts';
import type { ErrorBody } from './refusals.ts';

const names: Readonly<Record<Exclude<PurchaseRole, 'plan'>, string>> = {
  merchant: 'merchant',
  product: 'product',
  network: 'network',
  customer: 'msisdn',
  amount: 'amount',
  phone: 'phone',
  quantity: 'quantity',
  cardValue: 'face_value',
  channel: 'send_via',
  address: 'destination',
  voucher: 'code',
};

/** `planName` is the name that the route has for a plan. */
export function repeatMessage(repeat: Repeat | undefined, planName: string): string {
  const advice = 'query its status instead of sending it again';
  if (repeat === undefined) return `This reference was used before; ${advice}`;
  const { differing, unknown } = nameFields(repeat, planName);
  if (differing.length > 0) {
    const fields = listWords(differing, 'and');
    return `This reference was used before for another purchase, with a different ${fields}: query its status, and use a new reference for a new purchase`;
  }
  if (unknown.length > 0) {
    const fields = listWords(unknown, 'and');
    return `This reference was used before; ${advice} (whether for the same purchase cannot be said: its ${fields} cannot be compared any more)`;
  }
  return `This reference was used before for the same purchase; ${advice}`;
}

/** Without `differs` where nothing differs as far as it can be compared, and not all of it can. */
export function repeatFields(repeat: Repeat | undefined, planName: string): ErrorBody['data'] {
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
