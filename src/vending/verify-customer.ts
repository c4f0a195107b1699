/**
 * Asks who a customer of a biller is. Costs nothing, moves nothing, stores nothing; run for merchants and before each bill purchase.
 *
 * A provider that cannot say is passed over for the next of the route: asking a second one buys nothing twice.
 */
import { invariant } from '../errors.ts';
import type { CustomerAnswer, Provider } from '../providers/provider.ts';
import type { VendDetails } from './accept-store.ts';

export type CustomerOfBill = {
  readonly product: string;
  readonly network: string;
  readonly recipient: string;
  readonly details: VendDetails | undefined;
  /** Providers in order; never empty. */
  readonly route: readonly string[];
};

/** Who answered, and what. */
export type Verification = { readonly provider: string; readonly answer: CustomerAnswer };

/** Never throws for an answer. `unavailable` only when every provider of the route was. */
export async function verifyCustomer(
  providers: ReadonlyMap<string, Provider>,
  customer: CustomerOfBill,
): Promise<Verification> {
  let last: Verification | undefined;
  for (const name of customer.route) {
    const answer = await ask(providers.get(name), name, customer);
    last = { provider: name, answer };
    if (answer.kind !== 'unavailable') return last;
  }
  invariant(last !== undefined, 'a judged bill has a route');
  return last;
}

async function ask(
  provider: Provider | undefined,
  name: string,
  { product, network, recipient, details }: CustomerOfBill,
): Promise<CustomerAnswer> {
  if (provider?.verifyCustomer === undefined) {
    return { kind: 'unavailable', code: 'not_offered', message: `${name} does not verify customers` };
  }
  const planCodes = details?.planCodes?.[name];
  try {
    return await provider.verifyCustomer({ product, network, recipient, ...(planCodes && { planCodes }) });
  } catch (error) {
    return {
      kind: 'unavailable',
      code: 'connector_fault',
      message: error instanceof Error ? error.name : 'fault',
    };
  }
}
