/**
 * Reads credentials and merchant profiles for the authenticator. Requests that arrive during a read
 * are served together by the next one. So this uses one connection for any number of requests.
 *
 * Guarantees: an answer was read after its request. The caller must refuse keys that cannot exist.
 */

import { detachBuffer } from '../core/detach-buffer.ts';
import { GatewayError } from '../core/errors.ts';
import type { Currency } from '../core/money.ts';
import type { Sql } from '../db/database.ts';
import { allowList } from './allowed-ips.ts';
import { type PrincipalRow, selectPrincipals } from './credential-store.ts';
import type { Principal } from './merchant.ts';
import type { PriceSchedule } from './prices/price-schedule.ts';
import { createScheduleReader, type ReadSchedules } from './prices/read-schedule.ts';

/** A credential as it stood when it was read. */
export type KnownCredential = {
  readonly secretHash: Buffer;
  readonly revoked: boolean;
  /** The credential must be confirmed after a restore. */
  readonly unconfirmed: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  readonly allows: (ip: string) => boolean;
  readonly principal: Principal;
  /** Another one after each change (`isUnchanged`). */
  readonly version: string;
};

type Waiting = {
  readonly promise: Promise<KnownCredential | undefined>;
  readonly resolve: (credential: KnownCredential | undefined) => void;
  readonly reject: (error: unknown) => void;
};

const KEYS_PER_READ_MAX = 500;
/** If more keys wait than this, they can only be keys that were never issued. */
const KEYS_WAITING_MAX = 10_000;

export type PrincipalLoader = {
  /**
   * Undefined for a key that does not exist. Rejects if the database fails, or with `overloaded`.
   */
  load(keyId: string): Promise<KnownCredential | undefined>;
};

export function createPrincipalLoader(sql: Sql): PrincipalLoader {
  const waiting = new Map<string, Waiting>();
  const readSchedules = createScheduleReader(sql);
  let reading = false;

  const readAll = async (): Promise<void> => {
    reading = true;
    while (waiting.size > 0) {
      const batch = new Map(waiting.entries().take(KEYS_PER_READ_MAX));
      for (const keyId of batch.keys()) waiting.delete(keyId);
      await readBatch(sql, readSchedules, batch);
    }
    reading = false;
  };

  return {
    load: (keyId) => {
      const present = waiting.get(keyId);
      if (present !== undefined) return present.promise;
      if (waiting.size >= KEYS_WAITING_MAX) {
        return Promise.reject(new GatewayError({ code: 'credentials_full' }));
      }
      const added: Waiting = Promise.withResolvers<KnownCredential | undefined>();
      waiting.set(keyId, added);
      if (!reading) void readAll();
      return added.promise;
    },
  };
}

/** Never rejects: errors go to the waiting callers. */
async function readBatch(
  sql: Sql,
  readSchedules: ReadSchedules,
  batch: ReadonlyMap<string, Waiting>,
): Promise<void> {
  try {
    const rows = await selectPrincipals(sql, [...batch.keys()]);
    const schedules = await readSchedules(rows.map((row) => row.price_versions));
    const known = new Map(
      rows.map((row, index) => [row.key_id, toKnownCredential(row, schedules[index] ?? [])]),
    );
    for (const [keyId, { resolve }] of batch) resolve(known.get(keyId));
  } catch (error) {
    for (const { reject } of batch.values()) reject(error);
  }
}

function toKnownCredential(row: PrincipalRow, prices: PriceSchedule): KnownCredential {
  return {
    secretHash: detachBuffer(row.secret_hash),
    revoked: row.revoked_at !== null,
    unconfirmed: row.unconfirmed,
    expiresAtMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    allows: allowList(row.allowed_ips),
    version: row.version,
    principal: {
      credentialId: row.key_id,
      environment: row.environment,
      rateLimitPerS: row.rate_limit_per_s ?? undefined,
      capped: row.capped,
      mcpPurchases: row.mcp_purchases,
      merchant: {
        id: row.merchant_id,
        code: row.merchant_code,
        name: row.merchant_name,
        suspended: row.merchant_disabled,
        products: new Set(row.products),
        prices,
        wallets: new Map(
          row.wallets.map((wallet) => [wallet.currency as Currency, BigInt(wallet.account_id)]),
        ),
      },
    },
  };
}
