/**
 * Finds failures at the end, when everything is final: compares the books of the clients, the
 * gateways and the providers, and runs the audit.
 */
import { verifyAuditLog } from '../../src/oversight/log/operations/verify-audit-log.ts';
import {
  differences,
  outcomes,
  readLivePurchases,
  type StoredPurchase,
  untilNothingPending,
} from '../../test/support/books.ts';
import { brokenPromises, type Purchase, tally } from '../../test/support/load.ts';
import type { Site } from './site.ts';

const FINAL_MS = 600_000;

export type Verdict = {
  /** A sentence for each failure; empty if all checks passed. */
  readonly wrong: readonly string[];
  readonly sent: number;
  /** Answers to clients, with their number. */
  readonly answers: string;
  /** How their purchases ended. */
  readonly ended: string;
  readonly delivered: number;
  /** How long it took until the last one was final. */
  readonly finalAfterMs: number;
};

export async function judge(
  { postgres, simulator, fleet }: Site,
  sent: readonly Purchase[],
  /** The time of the last request, by `performance.now()`. */
  lastAt: number,
): Promise<Verdict> {
  const { database } = postgres;
  const wrong: string[] = [];
  await untilNothingPending(database, FINAL_MS, `http://127.0.0.1:${fleet.ports[0]}`).catch((error: Error) =>
    wrong.push(error.message),
  );
  const finalAfterMs = performance.now() - lastAt;
  const purchases = await readLivePurchases(database);
  const { broken } = await verifyAuditLog(database);
  wrong.push(
    ...(await differences(database, simulator.url)),
    ...brokenPromises(sent, purchases),
    ...nothingDelivered(purchases),
    ...(broken === undefined ? [] : [`the audit log is broken: ${JSON.stringify(broken)}`]),
    ...(await postgres.linesWith('deadlock detected')),
    ...fleet.linesWith('deadlock'),
    ...fleet.died,
  );
  return {
    wrong,
    sent: sent.length,
    answers: tally(sent),
    ended: outcomes(purchases),
    delivered: purchases.filter(({ status }) => status === 'success').length,
    finalAfterMs,
  };
}

/** If nothing was sold, no answer was given, so no promise can be broken. */
export function nothingDelivered(purchases: readonly Pick<StoredPurchase, 'status'>[]): string[] {
  return purchases.some(({ status }) => status === 'success') ? [] : ['nothing was delivered'];
}
