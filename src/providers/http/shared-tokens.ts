/**
 * Shares the access token of an account between all processes of the installation, for providers
 * where a new log-in invalidates the previous token. If each process logged in by itself, they
 * would log each other out with every call.
 *
 * Guarantees: one process at a time logs in, and the others take its token. Two log-ins of an
 * account are at least `PACE_MS` apart, so another user of the account cannot cause a loop of
 * log-ins. The token is stored sealed. A process that dies during its log-in delays the next log-in
 * by `LEASE_MS` at most. A lost or unreadable token costs one log-in.
 */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '../../core/json.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Sql } from '../../db/database.ts';
import { insertSettingOnce, readSetting, replaceSetting } from '../../db/setting-store.ts';
import { type HeldToken, type NoAccess, TOKEN_LIFE_MIN_MS } from './access-tokens.ts';

/**
 * Returns the stored token of the account, or one from `logIn` when there is none or its value is
 * among `unusable`. Never throws.
 */
export type SharedTokens = (
  account: string,
  unusable: readonly (string | undefined)[],
  logIn: () => Promise<HeldToken | NoAccess>,
) => Promise<HeldToken | NoAccess>;

export type SharedTokenTimes = {
  /** Longer than a log-in can take. */
  readonly leaseMs: number;
  readonly paceMs: number;
  readonly pollMs: number;
};

const LEASE_MS = 20_000;
const PACE_MS = 10_000;
const POLL_MS = 200;

/** Times are in milliseconds since 1970. */
type Stored = {
  readonly sealed?: string;
  readonly leasedUntilMs?: number;
  readonly loggedInAtMs?: number;
};

type TokenSealer = () => Promise<Pick<Sealer, 'open' | 'seal'>>;

export function shareTokens(
  sql: Sql,
  sealer: TokenSealer,
  times: SharedTokenTimes = { leaseMs: LEASE_MS, paceMs: PACE_MS, pollMs: POLL_MS },
): SharedTokens {
  return async (account, unusable, logIn) => {
    const name = `access_token:${hash('sha256', account, 'hex').slice(0, 32)}`;
    // The process that died may have acquired its lease after this one began to wait.
    const giveUpAtMs = Date.now() + 2 * times.leaseMs + times.paceMs;
    try {
      const { open, seal } = await sealer();
      const place = `settings/${name}/value`;
      for (;;) {
        const text = (await readSetting(sql, name)) ?? (await insertSettingOnce(sql, name, '{}'));
        const stored = readStored(text);
        const token = readToken(stored.sealed === undefined ? undefined : open(place, stored.sealed));
        const nowMs = Date.now();
        const isUsable = token !== undefined && token.expiresAtMs > nowMs + TOKEN_LIFE_MIN_MS;
        if (isUsable && !unusable.includes(token.value)) return token;
        const leased = JSON.stringify({ ...stored, leasedUntilMs: nowMs + times.leaseMs });
        if (mayLogIn(stored, nowMs, times) && (await replaceSetting(sql, name, text, leased))) {
          const result = await logIn();
          const sealed = 'kind' in result ? undefined : seal(place, JSON.stringify(result));
          // If another process has taken the lease over, its token is the newest one.
          await replaceSetting(sql, name, leased, JSON.stringify({ sealed, loggedInAtMs: Date.now() }));
          return result;
        }
        if (nowMs >= giveUpAtMs) return unavailable('no other process has logged in in time');
        await sleep(times.pollMs);
      }
    } catch {
      return unavailable('the shared token cannot be read');
    }
  };
}

/** If the time is further ahead than its limit, a clock was set, and the time is ignored. */
function mayLogIn(
  { leasedUntilMs = 0, loggedInAtMs = 0 }: Stored,
  nowMs: number,
  { leaseMs, paceMs }: SharedTokenTimes,
): boolean {
  const isLeased = leasedUntilMs > nowMs && leasedUntilMs <= nowMs + leaseMs;
  const isTooSoon = loggedInAtMs + paceMs > nowMs && loggedInAtMs <= nowMs;
  return !isLeased && !isTooSoon;
}

function readStored(text: string): Stored {
  const read: unknown = JSON.parse(text);
  return isRecord(read) ? read : {};
}

function readToken(text: string | undefined): HeldToken | undefined {
  const read: unknown = text === undefined ? undefined : JSON.parse(text);
  return isRecord(read) && typeof read.value === 'string' && typeof read.expiresAtMs === 'number'
    ? { value: read.value, expiresAtMs: read.expiresAtMs }
    : undefined;
}

function unavailable(reason: string): NoAccess {
  return { kind: 'unavailable', reason };
}
