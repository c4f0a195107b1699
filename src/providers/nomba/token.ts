/**
 * The access token that every call to Nomba carries. One for all of them: whoever finds it old has it renewed once, the
 * others wait for the same answer, and from five minutes before its end it is renewed beside the calls, which go on
 * with the old one. Held in memory only; a lost token costs one call.
 */
import type { CallResult, Upstream } from '../call.ts';
import { isBody, word } from '../reply-fields.ts';

export type TokenSettings = {
  /** Apart from that of the vends, so that a queue of vends cannot keep the token from them. */
  readonly upstream: Upstream;
  readonly accountId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly now: () => Date;
};

type Access =
  | { readonly kind: 'token'; readonly value: string }
  /** Nomba's explicit no to our credentials. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

export type Tokens = {
  get(signal: AbortSignal): Promise<Access>;
  /** After Nomba refused this token. */
  replace(refused: string, signal: AbortSignal): Promise<Access>;
  /** What must never be shown. */
  secrets(): readonly string[];
};

type Held = { readonly value: string; readonly refresh: string | undefined; readonly expiresAtMs: number };

const RENEW_EARLY_MS = 5 * 60_000;
/** Until then the old one still serves while it is being renewed. */
const USABLE_UNTIL_MS = 30_000;
const LIFE_MS = 30 * 60_000;
/** A token that arrives expired says that the clocks differ, not that it is of no use. */
const LIFE_MIN_MS = 60_000;
/** Between two renewals of which the first failed. */
const PAUSE_MS = 1_000;

export function createTokens({ upstream, accountId, clientId, clientSecret, now }: TokenSettings): Tokens {
  let held: Held | undefined;
  let renewing: Promise<Access> | undefined;
  let failed: { readonly access: Access; readonly untilMs: number } | undefined;

  const ask = (
    path: string,
    headers: Record<string, string>,
    body: Record<string, string>,
  ): Promise<CallResult> =>
    upstream.call({ operation: 'token', method: 'POST', path, headers: { accountId, ...headers }, body });

  const renew = async (old: Held | undefined): Promise<Access> => {
    if (old?.refresh !== undefined) {
      const refreshed = await ask(
        '/v1/auth/token/refresh',
        { authorization: `Bearer ${old.value}` },
        { grant_type: 'refresh_token', refresh_token: old.refresh },
      );
      held = readToken(refreshed, now().getTime()) ?? held;
      if (held !== old && held !== undefined) return { kind: 'token', value: held.value };
    }
    const issued = await ask(
      '/v1/auth/token/issue',
      {},
      { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
    );
    const fresh = readToken(issued, now().getTime());
    if (fresh === undefined) return noToken(issued);
    held = fresh;
    return { kind: 'token', value: fresh.value };
  };

  const renewOnce = (old: Held | undefined): Promise<Access> => {
    if (failed !== undefined && now().getTime() < failed.untilMs) return Promise.resolve(failed.access);
    renewing ??= renew(old).then((access) => {
      renewing = undefined;
      failed = access.kind === 'token' ? undefined : { access, untilMs: now().getTime() + PAUSE_MS };
      return access;
    });
    return renewing;
  };

  return {
    get: (signal) => {
      const leftMs = held === undefined ? 0 : held.expiresAtMs - now().getTime();
      if (held === undefined || leftMs <= USABLE_UNTIL_MS) return unlessAborted(renewOnce(held), signal);
      if (leftMs <= RENEW_EARLY_MS) void renewOnce(held);
      return Promise.resolve({ kind: 'token', value: held.value });
    },

    replace: (refused, signal) => {
      if (held !== undefined && held.value !== refused) {
        return Promise.resolve({ kind: 'token', value: held.value });
      }
      // A token that was refused is not refreshed but issued anew.
      held = undefined;
      return unlessAborted(renewOnce(undefined), signal);
    },

    secrets: () => [clientSecret, held?.value ?? '', held?.refresh ?? ''],
  };
}

function readToken(result: CallResult, nowMs: number): Held | undefined {
  if (result.kind !== 'reply' || result.status >= 400 || !isBody(result.body)) return undefined;
  const { code, data } = result.body;
  if (code !== '00' || !isBody(data) || typeof data.access_token !== 'string') return undefined;
  const told = typeof data.expiresAt === 'string' ? Date.parse(data.expiresAt) : Number.NaN;
  const expiresAtMs = Number.isNaN(told) ? nowMs + LIFE_MS : Math.max(told, nowMs + LIFE_MIN_MS);
  const refresh = typeof data.refresh_token === 'string' ? data.refresh_token : undefined;
  return data.access_token === '' ? undefined : { value: data.access_token, refresh, expiresAtMs };
}

function noToken(result: CallResult): Access {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: `no token: ${result.reason}` };
  const { status, body } = result;
  const code = isBody(body) ? word(body.code) : undefined;
  if (code === undefined || code === '00' || status >= 500 || status === 429) {
    return { kind: 'unavailable', reason: `no token: HTTP ${status}` };
  }
  return { kind: 'refused', reason: `our credentials were refused with code ${code}` };
}

async function unlessAborted(access: Promise<Access>, signal: AbortSignal): Promise<Access> {
  const { promise: aborted, resolve } = Promise.withResolvers<Access>();
  const giveUp = (): void => resolve({ kind: 'unavailable', reason: 'no token in time' });
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([access, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
