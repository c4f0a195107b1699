/** The shared parts of the simulated VTpass's calls. */
import { Account, type Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import type { Callback } from '../callbacks.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { requeryReply } from './replies.ts';

export type Vtpass = {
  readonly account: Account;
  readonly catalog: Catalog;
  /** When a service and recipient last came together, for the near-duplicate rule. */
  readonly lastOrders: Map<string, number>;
};

export async function openVtpass(simulation: Simulation): Promise<Vtpass> {
  const catalog = await loadCatalog();
  return { account: new Account('vtpass', simulation, callback), catalog, lastOrders: new Map() };
}

/**
 * Of type `transaction-update`, sent for orders that stayed pending and became final. Not signed,
 * as VTpass's are not.
 */
function callback(order: Order): Callback {
  return {
    body: { type: 'transaction-update', data: requeryReply(order) },
    isAccepted: async (response) => {
      const answer = (await response.json()) as { readonly response?: unknown } | null;
      return response.ok && answer?.response === 'success';
    },
  };
}
