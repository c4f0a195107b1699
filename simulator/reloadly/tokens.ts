/**
 * Reloadly's access tokens: one host issues them for every product, each valid only for its
 * audience. Lost when the simulator stops. They protect nothing: they exist so that a wrong, old or
 * missing one can be refused.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { json, type Reply } from '../http.ts';
import { refusal } from './replies.ts';

const CLIENT_ID = 'simulator-client-id';
const CLIENT_SECRET = 'simulator-reloadly-secret-0123456789abcdefghij';
/**
 * The base URL of the gift cards, wherever this simulator is; the clients of others name the real.
 */
const AUDIENCE = /^https?:\/\/(?:[^/]+\/reloadly|giftcards(?:-sandbox)?\.reloadly\.com)\/?$/;

export class Tokens {
  readonly #lifeMs: number;
  /** When each expires, by its text. */
  readonly #access = new Map<string, number>();

  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs;
  }

  issue(body: unknown): Reply {
    const { grant_type, client_id, client_secret, audience } =
      typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
    if (client_id !== CLIENT_ID || client_secret !== CLIENT_SECRET || grant_type !== 'client_credentials') {
      return badCredentials;
    }
    if (!AUDIENCE.test(String(audience))) return refusal(400, 'INVALID_AUDIENCE', 'Unknown audience');
    const access_token = randomBytes(24).toString('base64url');
    this.#access.set(access_token, Date.now() + this.#lifeMs);
    const expires_in = Math.floor(this.#lifeMs / 1_000);
    return json({ access_token, scope: 'giftcards', expires_in, token_type: 'Bearer' });
  }

  /** Whether a call has a valid token. */
  admits(headers: IncomingHttpHeaders): boolean {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    return (this.#access.get(token) ?? 0) > Date.now();
  }

  /** Revokes all tokens that were issued so far. */
  revokeAll(): void {
    this.#access.clear();
  }
}

export const badCredentials = refusal(401, 'INVALID_CREDENTIALS', 'Access denied');
