/**
 * Monnify's access tokens: how a token is issued, and when it ends. `access-tokens.ts` holds it.
 */
import { type HeldToken, type NoAccess, TOKEN_LIFE_MIN_MS } from '../../upstream/access-tokens.ts';
import type { CallResult, Upstream } from '../../upstream/call.ts';
import { isBody } from '../../upstream/reply-fields.ts';

/** The keys of the developer page of Monnify's dashboard. */
type Keys = { readonly apiKey: string; readonly secretKey: string };

export async function issueToken(
  upstream: Upstream,
  { apiKey, secretKey }: Keys,
  now: Date,
): Promise<HeldToken | NoAccess> {
  const basic = Buffer.from(`${apiKey}:${secretKey}`).toString('base64');
  const issued = await upstream.call({
    operation: 'token',
    method: 'POST',
    path: '/api/v1/auth/login',
    headers: { authorization: `Basic ${basic}` },
    body: {},
  });
  return readToken(issued, now.getTime()) ?? noToken(issued);
}

function readToken(result: CallResult, nowMs: number): HeldToken | undefined {
  const body = result.kind === 'reply' && isBody(result.body) ? result.body.responseBody : undefined;
  if (!isBody(body) || typeof body.accessToken !== 'string' || body.accessToken === '') return undefined;
  const lifeMs = typeof body.expiresIn === 'number' ? body.expiresIn * 1_000 : 0;
  return { value: body.accessToken, expiresAtMs: nowMs + Math.max(lifeMs, TOKEN_LIFE_MIN_MS) };
}

function noToken(result: CallResult): NoAccess {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: `no token: ${result.reason}` };
  return result.status === 401
    ? { kind: 'refused', reason: 'our credentials were refused' }
    : { kind: 'unavailable', reason: `no token: HTTP ${result.status}` };
}
