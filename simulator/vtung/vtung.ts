/** The shared parts of the simulated VTU.ng's calls. */
import { createHmac } from 'node:crypto';
import { Account, type Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import type { Callback } from '../callbacks.ts';
import { type DemoPlan, readDemoPlans } from '../catalog.ts';
import { statusOf } from './replies.ts';
import { Tokens } from './tokens.ts';

/** `price` is in kobo. */
type Variation = { readonly id: string; readonly name: string; readonly price: bigint };

export type Vtung = {
  readonly account: Account;
  readonly tokens: Tokens;
  /** By service, then by id: the demo catalog's plans under their VTpass codes. */
  readonly variations: Readonly<Record<'data' | 'tv', ReadonlyMap<string, ReadonlyMap<string, Variation>>>>;
};

export async function openVtung(simulation: Simulation): Promise<Vtung> {
  const plans = await readDemoPlans();
  return {
    account: new Account('vtung', simulation, webhook),
    tokens: new Tokens(),
    variations: {
      data: variationsOf(plans, 'data'),
      tv: variationsOf(plans, 'CABLE'),
    },
  };
}

function variationsOf(plans: readonly DemoPlan[], product: string): Map<string, Map<string, Variation>> {
  const services = new Map<string, Map<string, Variation>>();
  for (const plan of plans) {
    const id = plan.codes.vtpass?.variation_code;
    if (plan.product !== product || id === undefined || plan.price === undefined) continue;
    const service = plan.network.toLowerCase();
    const own = services.get(service) ?? new Map<string, Variation>();
    services.set(service, own.set(id, { id, name: plan.name, price: plan.price }));
  }
  return services;
}

const PIN = '12345';

/** Signed over the body with the account's transaction PIN. */
function webhook(order: Order): Callback {
  const body = {
    order_id: order.detail.orderId,
    request_id: order.reference,
    status: statusOf(order),
  };
  return {
    body,
    headers: { 'x-signature': createHmac('sha256', PIN).update(JSON.stringify(body)).digest('hex') },
    isAccepted: async (response) => response.ok,
  };
}
