/** The catalog and the shared parts of the simulated SMEPlug's calls. */
import { Account, type Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import type { Callback } from '../callbacks.ts';
import { readDemoPlans } from '../catalog.ts';

type Plan = { readonly id: string; readonly name: string; readonly price: bigint };

export type Smeplug = {
  readonly account: Account;
  /** By SMEPlug's id of the network, then by plan. */
  readonly plans: ReadonlyMap<string, ReadonlyMap<string, Plan>>;
};

export const NETWORKS: Readonly<Record<string, string>> = {
  1: 'MTN',
  2: 'AIRTEL',
  3: '9MOBILE',
  4: 'GLO',
};

export async function openSmeplug(simulation: Simulation): Promise<Smeplug> {
  const ids = new Map(Object.entries(NETWORKS).map(([id, name]) => [name, id]));
  const plans = new Map<string, Map<string, Plan>>();
  for (const { product, network, name, price } of await readDemoPlans()) {
    const key = ids.get(network);
    if (product !== 'data' || price === undefined || key === undefined) continue;
    const own = plans.get(key) ?? new Map<string, Plan>();
    const id = `${key}${String(own.size + 1).padStart(2, '0')}`;
    plans.set(key, own.set(id, { id, name, price }));
  }
  return { account: new Account('smeplug', simulation, webhook), plans };
}

export const STATES = { pending: 'processing', delivered: 'success', failed: 'failed' } as const;

/** Not signed, as no signature is documented. */
function webhook(order: Order): Callback {
  const transaction = {
    status: STATES[order.status],
    reference: order.detail.reference,
    customer_reference: order.reference,
    type: order.product,
    beneficiary: order.recipient,
    memo: '',
    response: '',
    price: Number(order.cost) / 100,
  };
  return { body: { transaction }, isAccepted: async (response) => response.ok };
}
