/**
 * Issues an API credential. Its secret is returned once and stored nowhere; only a keyed hash is
 * stored.
 */

import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { type Clock, parseDuration } from '../../core/clock.ts';
import type { Environment } from '../../core/environment.ts';
import { invariant, OperationError } from '../../core/errors.ts';
import { admins, defineOperation } from '../../core/operation.ts';
import {
  amountField,
  durationField,
  environmentField,
  inputOf,
  merchantField,
  oneOf,
  text,
} from '../../core/operation-fields.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { parseCidr } from '../allowed-ips.ts';
import { issuedAnswer, issuedOutput } from '../credential-answer.ts';
import { hashSecret, newKeyId, newSecret } from '../credential-secret.ts';
import {
  type CredentialRow,
  countActiveCredentials,
  insertCredential,
  type Spending,
} from '../credential-store.ts';
import { requireMerchant } from '../require-merchant.ts';
import { readSpending, spendingEntry, uncapped } from '../spending.ts';

const ALLOWED_IPS_MAX = 100;
/** The maximum number of active credentials of a merchant in one environment. */
export const ACTIVE_MAX = 50;
const RATE_LIMIT_PER_S_MAX = 1_000_000;

export type CredentialTerms = {
  readonly environment: Environment;
  readonly label?: string | undefined;
  /** Addresses or networks in CIDR notation; none means any address. */
  readonly allowedIps?: readonly string[] | undefined;
  /** Requests per second. 0: no limit. Absent: the gateway's own limit. */
  readonly rateLimitPerS?: number | undefined;
  readonly expiresAt?: Date | undefined;
  /** Absent: no caps, and no purchases over MCP. */
  readonly spending?: Spending | undefined;
  /** The time at which credentials are counted as expired; absent: now. */
  readonly now?: Date | undefined;
  /** The replaced credential, under which the day's spending is still counted. */
  readonly spendsAs?: string | undefined;
};

export type IssuedCredential = { readonly credential: CredentialRow; readonly secret: string };

/** Throws OperationError: `no_merchant`, `too_many_credentials`, `address_malformed`. */
export async function issueCredential(
  tx: Tx,
  pepper: KeyObject,
  order: CredentialTerms & { readonly merchantCode: string },
  actor: ActorOrName,
): Promise<IssuedCredential> {
  const allowedIps = (order.allowedIps ?? []).map(readNetwork);
  const { spending = uncapped, spendsAs } = order;
  // The lock prevents two transactions from both taking the last available one.
  const merchant = await requireMerchant(tx, order.merchantCode);
  const { environment } = order;
  if ((await countActiveCredentials(tx, merchant.id, environment, order.now)) >= ACTIVE_MAX) {
    throw new OperationError({ code: 'too_many_credentials', max: ACTIVE_MAX, environment });
  }
  const secret = newSecret();
  const credential = await insertCredential(tx, {
    keyId: newKeyId(order.environment),
    merchantId: merchant.id,
    environment: order.environment,
    secretHash: hashSecret(pepper, secret),
    label: order.label ?? '',
    allowedIps,
    rateLimitPerS: order.rateLimitPerS,
    expiresAt: order.expiresAt,
    spending,
    spendsAs,
  });
  invariant(credential !== undefined, 'an insert that does not fail gives its row');
  await recordOperation(tx, {
    actor,
    action: 'credential.issue',
    subject: `credential:${credential.key_id}`,
    after: {
      merchant: merchant.code,
      environment: credential.environment,
      label: credential.label,
      allowed_ips: credential.allowed_ips,
      rate_limit_per_s: credential.rate_limit_per_s,
      expires_at: credential.expires_at,
      ...spendingEntry(spending),
    },
  });
  await announceChange(tx, `credential:${credential.key_id}`);
  return { credential, secret };
}

function readNetwork(text: string): string {
  const cidr = parseCidr(text);
  if (cidr === undefined) throw new OperationError({ code: 'address_malformed', text });
  return `${cidr.address}/${cidr.prefix}`;
}

export const issueCredentialOperation = defineOperation({
  name: 'credential.issue',
  kind: 'act',
  summary: 'issue a credential; its secret is shown once and not stored',
  roles: admins,
  portal: { roles: ['developer'], without: ['rate'] },
  route: 'POST /merchants/{merchant}/credentials',
  document: 'operators/merchants.md',
  showsSecret: true,
  input: inputOf({
    merchant: merchantField,
    environment: environmentField,
    label: Type.Optional(text('its purpose, in 1 to 100 characters of plain text')),
    ip: Type.Optional(
      Type.Array(Type.String(), {
        description: 'addresses or networks that it may be used from, such as 10.1.0.0/16 (default: any)',
        maxItems: ALLOWED_IPS_MAX,
      }),
    ),
    rate: Type.Optional(
      Type.Integer({
        description: `requests a second, from 0 (no limit) to ${RATE_LIMIT_PER_S_MAX} (default: the gateway's own)`,
        minimum: 0,
        maximum: RATE_LIMIT_PER_S_MAX,
      }),
    ),
    expires_in: Type.Optional({
      ...durationField,
      description: 'a duration such as 12h or 90d, at most 3650d; absent, it never expires',
    }),
    per_purchase: Type.Optional({
      ...amountField,
      description: 'the maximum cost of a purchase, above zero, such as 5000; absent, no cap',
    }),
    per_day: Type.Optional({
      ...amountField,
      description: 'the maximum cost of all purchases of a day, above zero, such as 20000; absent, no cap',
    }),
    mcp_purchases: Type.Optional(
      oneOf(['allowed', 'none'], {
        description: 'whether an agent may buy with it over MCP: allowed, with both caps, or none',
        default: 'none',
      }),
    ),
  }),
  output: issuedOutput,
  run: async (
    { tx, actor, pepper, clock }: Acting & CredentialNeeds,
    { merchant: merchantCode, environment, label, ip: allowedIps, rate: rateLimitPerS, ...input },
  ) => {
    const now = clock.now();
    const spending = readSpending(input, uncapped);
    const expiresAt = endOf(now, input.expires_in);
    const terms = { environment, label, allowedIps, rateLimitPerS, expiresAt, spending };
    const issued = await issueCredential(tx, await pepper(), { merchantCode, ...terms }, actor);
    return issuedAnswer(issued, now);
  },
});

export type CredentialNeeds = { readonly pepper: () => Promise<KeyObject>; readonly clock: Clock };

export function endOf(now: Date, life: string | undefined): Date | undefined {
  const lifeMs = life === undefined ? undefined : parseDuration(life);
  return lifeMs === undefined ? undefined : new Date(now.getTime() + lifeMs);
}
