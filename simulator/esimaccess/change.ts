/**
 * The changes that a partner makes to its eSIM: cancels it for a refund, suspends it, resumes it,
 * or revokes it.
 */
import type { Order } from '../books.ts';
import type { Reply } from '../http.ts';
import type { EsimAccess } from './esimaccess.ts';
import { good, profilesOf, refusal, stateOf } from './replies.ts';

type Change = 'cancel' | 'suspend' | 'unsuspend' | 'revoke';

/** The resulting state. Undefined if the previous state is restored. */
const STATES = { suspend: 'SUSPENDED', unsuspend: undefined, revoke: 'REVOKED' } as const;

export async function changeEsim({ account }: EsimAccess, change: Change, body: unknown): Promise<Reply> {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const orders = await account.storedOrders();
  const order = orders.find((one) => isNamed(one, fields));
  if (order === undefined) return refusal('200008', 'The eSIM does not exist');
  if (change === 'cancel') {
    if (stateOf(order) !== 'GOT_RESOURCE') return notNow;
    await account.settle(order, 'failed');
    return good({});
  }
  if (order.status !== 'delivered' || stateOf(order) === 'REVOKED') return notNow;
  const { state: _, ...detail } = order.detail;
  const state = STATES[change];
  await account.change({ ...order, detail: { ...detail, ...(state !== undefined && { state }) } });
  return good({});
}

const notNow = refusal('200002', 'The state of the eSIM does not allow it');

function isNamed(order: Order, { esimTranNo, iccid }: Readonly<Record<string, unknown>>): boolean {
  return profilesOf(order).some((one) => one.esimTranNo === esimTranNo || one.iccid === iccid);
}
