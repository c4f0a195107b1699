/**
 * Nomba's access tokens: issued for the account's credentials, valid for a while, lost when the
 * simulator stops. They protect nothing: they exist so that a wrong, old or missing one can be
 * refused.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { json, type Reply } from '../http.ts';

const ACCOUNT_ID = '00000000-0000-4000-8000-00000000a001';
const CLIENT_ID = '00000000-0000-4000-8000-00000000c001';
const CLIENT_SECRET = 'simulator-client-secret-0123456789abcdefghij';

export class Tokens {
  readonly #lifeMs: number;
  /** When each expires, by its text. */
  readonly #access = new Map<string, number>();
  readonly #refresh = new Set<string>();

  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs;
  }

  issue(headers: IncomingHttpHeaders, body: unknown): Reply {
    const { grant_type, client_id, client_secret } = fieldsOf(body);
    return headers.accountid === ACCOUNT_ID &&
      grant_type === 'client_credentials' &&
      client_id === CLIENT_ID &&
      client_secret === CLIENT_SECRET
      ? this.#handOut()
      : refused;
  }

  refresh(headers: IncomingHttpHeaders, body: unknown): Reply {
    const { grant_type, refresh_token } = fieldsOf(body);
    const isGood = grant_type === 'refresh_token' && this.#refresh.delete(String(refresh_token));
    return headers.accountid === ACCOUNT_ID && isGood ? this.#handOut() : refused;
  }

  /** Whether a call has a valid token and our account. */
  admits(headers: IncomingHttpHeaders): boolean {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    return headers.accountid === ACCOUNT_ID && (this.#access.get(token) ?? 0) > Date.now();
  }

  /** Revokes all tokens that were issued so far. */
  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  #handOut(): Reply {
    const access_token = randomBytes(24).toString('base64url');
    const refresh_token = randomBytes(24).toString('base64url');
    const expiresAt = new Date(Date.now() + this.#lifeMs);
    this.#access.set(access_token, expiresAt.getTime());
    this.#refresh.add(refresh_token);
    const data = { businessId: ACCOUNT_ID, access_token, refresh_token, expiresAt: expiresAt.toISOString() };
    return json({ code: '00', description: 'Success', data });
  }
}

const refused = json({ code: '01', description: 'Invalid credentials' }, 401);

function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
