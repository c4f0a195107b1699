/**
 * Brings purchases forward when their provider sends a callback. Anyone can send a callback, any
 * number of times. So only a few are looked up at once, and the number of waiting ones is limited.
 */
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import { GatewayError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../db/database.ts';
import { makeDueByReference, type ProviderReference } from './claim-store.ts';

export class CallbackHints {
  readonly #sql: Sql;
  readonly #gate = bulkhead(limits.callbacksAtOnce, limits.callbacksWaiting);

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Makes the purchase of the reference due at once. Returns its id, or undefined if no pending
   * purchase has it. Throws GatewayError `purchases_full` when too many callbacks wait.
   */
  async take(hint: ProviderReference): Promise<string | undefined> {
    try {
      return await this.#gate.execute(() => makeDueByReference(this.#sql, hint));
    } catch (error) {
      throw isBulkheadRejectedError(error) ? new GatewayError({ code: 'purchases_full' }) : error;
    }
  }
}
