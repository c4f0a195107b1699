/**
 * Vending behind the restore fence: while it is up, what is known is answered as ever, and of what
 * is not known nothing is said but that it cannot be said yet. "Not found" would have the merchant
 * buy it again.
 */
import { GatewayError } from '../kernel/errors.ts';
import type { Principal } from '../merchants/merchant.ts';
import type { Vending } from '../vending/vending.ts';
import type { Fence } from './fence.ts';

type Fenced = Pick<Vending, 'vend' | 'order' | 'findVend' | 'askOrder' | 'findFirstUse'>;

export function fenceVending(vending: Vending, fence: Pick<Fence, 'isUp' | 'recall'>): Vending {
  return { ...vending, ...fenced(vending, fence) };
}

function fenced(vending: Fenced, fence: Pick<Fence, 'isUp' | 'recall'>): Fenced {
  const recall = ({ merchant, environment }: Principal, reference: string): Promise<void> | undefined =>
    fence.recall({ merchantId: merchant.id, environment, reference });
  // What is thrown here is looked up before it is told: a reference that is known is told as used.
  const requireOpen = ({ environment }: Principal): void => {
    if (fence.isUp(environment)) throw new GatewayError({ code: 'selling_fenced' });
  };
  const orFenced = <Found>(principal: Principal, found: Found | undefined): Found | undefined => {
    if (found === undefined) requireOpen(principal);
    return found;
  };
  return {
    vend: (request, mode) => {
      requireOpen(request.principal);
      const recalling = recall(request.principal, request.reference);
      return recalling === undefined
        ? vending.vend(request, mode)
        : recalling.then(() => vending.vend(request, mode));
    },
    order: async (request) => {
      requireOpen(request.principal);
      await recall(request.principal, request.reference);
      return await vending.order(request);
    },
    findVend: async (principal, reference) => {
      await recall(principal, reference);
      return orFenced(principal, await vending.findVend(principal, reference));
    },
    askOrder: async (principal, product, reference) => {
      await recall(principal, reference);
      return orFenced(principal, await vending.askOrder(principal, product, reference));
    },
    findFirstUse: async (principal, reference) => {
      await recall(principal, reference);
      return await vending.findFirstUse(principal, reference);
    },
  };
}
