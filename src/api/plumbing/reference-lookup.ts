/**
 * Looks up the reference of a create before the create is refused for any reason. A used reference
 * is answered with its purchase, and with the fields that differ from the first request. So a
 * refusal that reports that nothing is stored under the reference is true, even if prices or plans
 * have changed since. Accepted requests never come here.
 */
import type { FastifyRequest } from 'fastify';
import { GatewayError, isRefusal } from '../../core/errors.ts';
import { isRecord } from '../../core/json.ts';
import type { Repeat, RequestFault } from '../../core/request-fault.ts';
import { timedOut, withTimeout } from '../../core/with-timeout.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { type FieldNames, purchaseFieldNames } from './field-names.ts';
import type { Refusal } from './refusal.ts';
import { refusalOf } from './refusal-of.ts';

/** The longest reference: 100 characters, each of at most two UTF-16 units. */
const REFERENCE_UNITS_MAX = 200;
/** A database that takes longer for one key does not respond. */
const PATIENCE_MS = 2_000;

/**
 * Returns the refusal to send instead of `refusal`, usually `refusal` itself. `error` is the error
 * that `refusal` was made from.
 */
export type ReferenceLookup = (request: FastifyRequest, refusal: Refusal, error: unknown) => Promise<Refusal>;

type Purchases = Pick<ServerDependencies['purchases'], 'findFirstUse' | 'compareWithFirst'>;
type Used = RequestFault<'reference_used'>;

export function createReferenceLookup(purchases: Purchases): ReferenceLookup {
  return async (request, refusal, error) => {
    const names = request.routeOptions.config.fieldNames ?? purchaseFieldNames;
    const known = usedIn(error);
    if (known === undefined && isTold(refusal, error)) return refusal;
    try {
      const used = known ?? (await findUse(purchases, request, names));
      if (used === undefined) return refusal;
      const repeat = await compare(purchases, request, used);
      return refusalOf([{ ...used, repeat }], names, { isRead: false });
    } catch {
      // It is unknown whether the reference was used. Sending the request again does no harm.
      return refusalOf([{ code: 'database_away' }], names, { isRead: false });
    }
  };
}

/** The core has found the purchase already. */
function usedIn(error: unknown): Used | undefined {
  const [fault] = error instanceof GatewayError ? error.faults : [];
  return fault?.code === 'reference_used' ? fault : undefined;
}

/** The error names the purchase already, or says that the database cannot be queried. */
function isTold({ subject }: Refusal, error: unknown): boolean {
  return (
    subject !== undefined || isRefusal(error, 'purchase_not_stored') || isRefusal(error, 'database_away')
  );
}

async function findUse(
  purchases: Purchases,
  { principal, body }: FastifyRequest,
  names: FieldNames,
): Promise<Used | undefined> {
  const reference = referenceIn(body, names);
  if (principal === undefined || reference === undefined) return undefined;
  const first = await soon(purchases.findFirstUse(principal, reference));
  if (first === undefined) return undefined;
  return { code: 'reference_used', role: 'reference', reference, purchaseId: first.id, status: first.status };
}

/** A used reference is reported even if the differences are unknown. */
async function compare(
  purchases: Purchases,
  { principal, body, routeOptions }: FastifyRequest,
  { purchaseId }: Used,
): Promise<Repeat | undefined> {
  const read = routeOptions.config.creates;
  if (principal === undefined || read === undefined || !isRecord(body)) return undefined;
  try {
    return await soon(purchases.compareWithFirst(principal, purchaseId, read(body)));
  } catch {
    return undefined;
  }
}

/** Undefined when no reference is sent, or two different ones. */
function referenceIn(body: unknown, { reference, referenceAlias }: FieldNames): string | undefined {
  if (!isRecord(body)) return undefined;
  const alias = referenceAlias === undefined ? undefined : body[referenceAlias];
  const sent = body[reference] ?? alias;
  if (typeof sent !== 'string' || sent === '' || sent.length > REFERENCE_UNITS_MAX) return undefined;
  return (alias ?? sent) === sent ? sent : undefined;
}

async function soon<Found>(finding: Promise<Found>): Promise<Found> {
  const found = await withTimeout(PATIENCE_MS, finding);
  if (found === timedOut) throw new GatewayError({ code: 'database_away' });
  return found;
}
