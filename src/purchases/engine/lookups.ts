/**
 * Lookups at a provider: customers and stock. They are free for merchants, so each waits for its
 * turn among the read-only calls, and merchants share them. A lookup that a purchase waits for goes
 * first.
 */
import { GatewayError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { newTurn, type Turn } from '../../providers/http/limiter.ts';
import type { Provider } from '../../providers/provider.ts';
import { endTurn } from './provider-room.ts';

/** The merchant that requests it. */
export type Asker = {
  readonly merchantId: number;
  /** A purchase waits for the answer. */
  readonly isPurchase: boolean;
};

/**
 * Calls `ask` when it is its turn, and returns the answer. Throws GatewayError
 * `provider_look_ups_full`.
 */
export async function lookUp<Answer>(
  provider: Pick<Provider, 'limiters'> | undefined,
  { merchantId, isPurchase }: Asker,
  withinMs: number,
  ask: (turn: Turn) => Promise<Answer>,
): Promise<Answer> {
  const turn = newTurn(isPurchase ? 'purchase' : 'query', merchantId);
  const entry = await provider?.limiters?.reads.enter(turn, Math.min(withinMs, limits.lookupWaitMs));
  if (entry === 'full' || entry === 'late') throw new GatewayError({ code: 'provider_look_ups_full' });
  try {
    return await ask(turn);
  } finally {
    endTurn(turn);
  }
}
