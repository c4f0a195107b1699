/**
 * Asks who a customer of a biller is. Costs nothing, moves nothing, stores nothing; run for
 * merchants and before each bill purchase.
 *
 * A provider that cannot say is passed over for the next of the route: asking a second one buys
 * nothing twice.
 */
import { invariant } from '../../kernel/errors.ts';
import type { CustomerAnswer } from '../../providers/provider.ts';
import type { Turn } from '../../upstream/limiter.ts';
import type { Attempter } from '../path/attempt-vend.ts';
import { type Asker, lookUp } from '../path/lookups.ts';
import type { VendDetails } from '../vend/vend-details.ts';

/** Who asks. */
export type CustomerAsker = Pick<Attempter, 'providers' | 'clock' | 'onAnswer'> & {
  /**
   * How long one provider is waited for, in milliseconds: the purchase itself must still fit before
   * the caller's deadline.
   */
  readonly verifyWithinMs: number;
};

export type CustomerOfBill = {
  readonly product: string;
  readonly network: string;
  readonly recipient: string;
  readonly details: VendDetails | undefined;
  /** For whom. */
  readonly asker: Asker;
  /** Providers in order; never empty. */
  readonly route: readonly string[];
};

/** Who answered, and what. */
export type Verification = { readonly provider: string; readonly answer: CustomerAnswer };

/**
 * Never throws for an answer. `unavailable` only when every provider of the route was. Throws
 * GatewayError `provider_look_ups_full`.
 */
export async function verifyCustomer(asker: CustomerAsker, customer: CustomerOfBill): Promise<Verification> {
  const { providers, verifyWithinMs } = asker;
  let last: Verification | undefined;
  for (const name of customer.route) {
    const answer = await lookUp(providers.get(name), customer.asker, verifyWithinMs, (turn) =>
      askTimed(asker, name, customer, turn),
    );
    last = { provider: name, answer };
    if (answer.kind !== 'unavailable') return last;
  }
  invariant(last !== undefined, 'a judged bill has a route');
  return last;
}

async function askTimed(
  asker: CustomerAsker,
  name: string,
  customer: CustomerOfBill,
  turn: Turn,
): Promise<CustomerAnswer> {
  const startedAtMs = asker.clock.elapsedMs();
  const answer = await ask(asker, name, customer, turn);
  const latencyMs = asker.clock.elapsedMs() - startedAtMs;
  asker.onAnswer({ provider: name, operation: 'verify', kind: answer.kind, latencyMs });
  return answer;
}

async function ask(
  { providers, verifyWithinMs }: CustomerAsker,
  name: string,
  { product, network, recipient, details }: CustomerOfBill,
  turn: Turn,
): Promise<CustomerAnswer> {
  const provider = providers.get(name);
  if (provider?.verifyCustomer === undefined) {
    return { kind: 'unavailable', code: 'not_offered', message: `${name} does not verify customers` };
  }
  const planCodes = details?.planCodes?.[name];
  const query = { product, network, recipient, ...(planCodes && { planCodes }) };
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), verifyWithinMs);
  try {
    return await provider.verifyCustomer(query, { signal: limit.signal, turn });
  } catch (error) {
    return {
      kind: 'unavailable',
      code: 'connector_fault',
      message: error instanceof Error ? error.name : 'fault',
    };
  } finally {
    clearTimeout(timer);
  }
}
