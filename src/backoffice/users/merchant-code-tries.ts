/**
 * Limits how often a caller may send other merchants' codes, because the answer reveals whether the
 * code exists. Counted for the key, its merchant and its network, across all processes.
 *
 * Guarantees: requests with the caller's own code are not counted; a limited request costs no
 * query.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import { answerSoon, tellUnavailable } from '../../db/answer-soon.ts';
import type { Sql } from '../../db/database.ts';
import type { MerchantCodeTries } from '../../merchants/code-tries.ts';
import { SignInError } from './sign-in-error.ts';
import { merchantCodeBuckets, takeTries } from './throttle.ts';

/** The maximum number of limited keys that this process remembers. */
const REMEMBERED_MAX = 10_000;

export function createMerchantCodeTries(sql: Sql, clock: Pick<Clock, 'elapsedMs'>): MerchantCodeTries {
  /** The time at which each key is allowed again. */
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
