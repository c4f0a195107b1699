/** The access token of Monnify's calls: one for all of them, held in memory, renewed a minute before its end or when it is refused. */
import type { CallResult, Upstream } from '../../upstream/call.ts';
import { isBody } from '../../upstream/reply-fields.ts';

export type Tokens = {
  /** Undefined when none can be had. */
  get(): Promise<string | undefined>;
  /** After Monnify refused this one. */
  forget(refused: string): void;
};

const RENEW_EARLY_MS = 60_000;

export function createTokens(upstream: Upstream, apiKey: string, secretKey: string): Tokens {
  let held: { readonly value: string; readonly untilMs: number } | undefined;
  let asking: Promise<string | undefined> | undefined;

  const ask = async (): Promise<string | undefined> => {
    const basic = Buffer.from(`${apiKey}:${secretKey}`).toString('base64');
    const result = await upstream.call({
      operation: 'token',
      method: 'POST',
      path: '/api/v1/auth/login',
      headers: { authorization: `Basic ${basic}` },
      body: {},
    });
    held = readToken(result);
    return held?.value;
  };

  return {
    get: () => {
      if (held !== undefined && performance.now() < held.untilMs) return Promise.resolve(held.value);
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    forget: (refused) => {
      if (held?.value === refused) held = undefined;
    },
  };
}

function readToken(result: CallResult): { value: string; untilMs: number } | undefined {
  const body = result.kind === 'reply' && isBody(result.body) ? result.body.responseBody : undefined;
  if (!isBody(body) || typeof body.accessToken !== 'string' || body.accessToken === '') return undefined;
  const lifeMs = typeof body.expiresIn === 'number' ? body.expiresIn * 1_000 : 0;
  // Half of a short life is still used.
  const untilMs = performance.now() + Math.max(lifeMs - RENEW_EARLY_MS, lifeMs / 2);
  return { value: body.accessToken, untilMs };
}
