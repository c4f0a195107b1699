/**
 * Keeps the access token of an upstream that issues tokens. All calls share one token. An expired
 * token is renewed once, and all calls wait for the renewal. Shortly before it expires, the token
 * is renewed in the background, and calls keep using the old one. Tokens are in memory only: a lost
 * token costs one call. `shared-tokens.ts` shares them between processes where that matters.
 */

/** A token as the provider issued it. */
export type HeldToken = {
  readonly value: string;
  /** The refresh token, at providers that have refresh tokens. */
  readonly refresh?: string;
  readonly expiresAtMs: number;
};

export type NoAccess =
  /** The provider explicitly refused our credentials. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

type Access = { readonly kind: 'token'; readonly value: string } | NoAccess;

export type AccessTokens = {
  /** Waits for a token. For calls that could not get one from `present`. */
  get(signal: AbortSignal): Promise<Access>;
  /** Returns a token that can be used now. */
  present(): string | undefined;
  /** Returns another token after the provider refused this one. */
  replace(refused: string, signal: AbortSignal): Promise<Access>;
  /** The values that must never be shown. */
  secrets(): readonly string[];
};

export type AccessTokenSettings = {
  /**
   * Requests a token. `old` is the current one, unless it was refused; `refused` is the value of
   * one that was. Never throws.
   */
  readonly renew: (old: HeldToken | undefined, refused: string | undefined) => Promise<HeldToken | NoAccess>;
  readonly now: () => Date;
};

const RENEW_EARLY_MS = 5 * 60_000;
/** A token with more time left than this is used while it is renewed. */
const USABLE_UNTIL_MS = 30_000;
/** The pause after a renewal that failed. */
const PAUSE_MS = 1_000;

/** If a new token has less time left, the clocks differ. The token still works. */
export const TOKEN_LIFE_MIN_MS = 60_000;

export function createAccessTokens({ renew, now }: AccessTokenSettings): AccessTokens {
  let held: HeldToken | undefined;
  let renewing: Promise<Access> | undefined;
  let failed: { readonly access: Access; readonly untilMs: number } | undefined;

  const take = (answer: HeldToken | NoAccess): Access => {
    renewing = undefined;
    if ('kind' in answer) {
      failed = { access: answer, untilMs: now().getTime() + PAUSE_MS };
      return answer;
    }
    failed = undefined;
    held = answer;
    return { kind: 'token', value: answer.value };
  };

  const renewOnce = (old: HeldToken | undefined, refused?: string): Promise<Access> => {
    const pauseMs = failed === undefined ? 0 : failed.untilMs - now().getTime();
    // A pause longer than this means that the clock was set back.
    if (failed !== undefined && pauseMs > 0 && pauseMs <= PAUSE_MS) return Promise.resolve(failed.access);
    renewing ??= renew(old, refused).then(take);
    return renewing;
  };

  const leftMs = (): number => (held === undefined ? 0 : held.expiresAtMs - now().getTime());

  return {
    get: (signal) => unlessAborted(renewOnce(held), signal),

    present: () => {
      if (held === undefined || leftMs() <= USABLE_UNTIL_MS) return undefined;
      if (leftMs() <= RENEW_EARLY_MS) void renewOnce(held);
      return held.value;
    },

    replace: (refused, signal) => {
      if (held !== undefined && held.value !== refused) {
        return Promise.resolve({ kind: 'token', value: held.value });
      }
      // A refused token cannot be refreshed: request a new one.
      held = undefined;
      return unlessAborted(renewOnce(undefined, refused), signal);
    },

    secrets: () => [held?.value ?? '', held?.refresh ?? ''],
  };
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
