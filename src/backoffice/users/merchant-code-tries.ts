/**
 * Limits how often a caller may send merchant codes that are not its own: the answer tells whether
 * a merchant has the code. Counted for the key, its merchant and the network it calls from, in the
 * buckets of sign-in, so all processes count together.
 *
 * Guarantees: a request with the caller's own code takes no try. While no try is left, a request
 * costs no query.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import { answerSoon, tellUnavailable } from '../../db/answer-soon.ts';
import type { Sql } from '../../db/database.ts';
import type { MerchantCodeTries } from '../../merchants/code-tries.ts';
import { SignInError } from './sign-in-error.ts';
import { merchantCodeBuckets, takeTries } from './throttle.ts';

/** Keys without tries that this process remembers. It asks the database about the others. */
const REMEMBERED_MAX = 10_000;

export function createMerchantCodeTries(sql: Sql, clock: Pick<Clock, 'elapsedMs'>): MerchantCodeTries {
  /** When the key has a try again. */
  const limitedUntilMs = new LRUCache<string, number>({ max: REMEMBERED_MAX });
  return {
    take: async (principal, address) => {
      const key = principal.credentialId;
      const leftMs = (limitedUntilMs.get(key) ?? 0) - clock.elapsedMs();
      if (leftMs > 0) return { retryAfterS: Math.ceil(leftMs / 1_000), isFirst: false };
      try {
        await answerSoon(takeTries(sql, merchantCodeBuckets(principal, address))).catch(tellUnavailable);
        return undefined;
      } catch (error) {
        if (!(error instanceof SignInError) || error.fault.code !== 'too_many_tries') throw error;
        const { retryAfterS } = error.fault;
        const isFirst = (limitedUntilMs.get(key) ?? 0) <= clock.elapsedMs();
        limitedUntilMs.set(key, clock.elapsedMs() + retryAfterS * 1_000);
        return { retryAfterS, isFirst };
      }
    },
  };
}
