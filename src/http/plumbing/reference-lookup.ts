/**
 * The merchant's key comes first: before a create is refused for anything, its reference is looked
 * up. One that was used is answered with what became of it. So a refusal that says that nothing is
 * stored under the reference is true, whatever has changed about the sale since. Accepted requests
 * never come here.
 */
import { setTimeout } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { GatewayError, isRefusal } from '../../kernel/errors.ts';
import type { VendingOperations } from '../dependencies.ts';
import { type FieldNames, purchaseFieldNames, wordFaults } from './fault-words.ts';
import { isRecord } from './is-record.ts';
import type { Refusal } from './refusal.ts';

/** The longest that a reference can be. */
const REFERENCE_MAX = 100;
/** A database that takes longer to look one key up stands still. */
const PATIENCE_MS = 2_000;

/** What is told in place of `refusal`, which `error` was worded as: mostly `refusal` itself. */
export type ReferenceLookup = (request: FastifyRequest, refusal: Refusal, error: unknown) => Promise<Refusal>;

export function createReferenceLookup(findFirstUse: VendingOperations['findFirstUse']): ReferenceLookup {
  return async (request, refusal, error) => {
    const { principal, body } = request;
    const names = request.routeOptions.config.fieldNames ?? purchaseFieldNames;
    const reference = referenceIn(body, names);
    if (principal === undefined || reference === undefined || isTold(refusal, error)) return refusal;
    const finding = findFirstUse(principal, reference);
    // Where the time is over first, nobody waits for it.
    finding.catch(() => undefined);
    try {
      const first = await Promise.race([finding, tooLate()]);
      if (first === undefined) return refusal;
      const { id: vendId, status } = first;
      const used = { code: 'reference_used', role: 'reference', reference, vendId, status } as const;
      return wordFaults([used], names, { isRead: false });
    } catch {
      // Nobody can say whether it was used. To send it again does no harm.
      return wordFaults([{ code: 'database_away' }], names, { isRead: false });
    }
  };
}

/** It names the purchase already, or says that the database cannot be asked. */
function isTold({ subject }: Refusal, error: unknown): boolean {
  return (
    subject !== undefined || isRefusal(error, 'purchase_not_stored') || isRefusal(error, 'database_away')
  );
}

/** Undefined where none is sent, or two that differ. */
function referenceIn(body: unknown, { reference, referenceAlias }: FieldNames): string | undefined {
  if (!isRecord(body)) return undefined;
  const alias = referenceAlias === undefined ? undefined : body[referenceAlias];
  const sent = body[reference] ?? alias;
  if (typeof sent !== 'string' || sent === '' || sent.length > REFERENCE_MAX) return undefined;
  return (alias ?? sent) === sent ? sent : undefined;
}

async function tooLate(): Promise<never> {
  await setTimeout(PATIENCE_MS, undefined, { ref: false });
  throw new GatewayError({ code: 'database_away' });
}
