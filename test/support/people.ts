/**
 * Tokens and sessions of every kind on a gateway's database, without passwords. Sign-in is slow by
 * design, and tested elsewhere.
 */
import { hashToken, mintToken, tokenText } from '../../src/backoffice/access/access-token.ts';
import { insertAccessToken } from '../../src/backoffice/access/access-token-store.ts';
import { operationNamed } from '../../src/backoffice/operations/registry.ts';
import { hashOfToken, newSecretToken } from '../../src/backoffice/users/secret-token.ts';
import { insertSession } from '../../src/backoffice/users/session-store.ts';
import { insertUser } from '../../src/backoffice/users/user-store.ts';
import { newId } from '../../src/core/ids.ts';
import type { MerchantRole, Role } from '../../src/core/operation.ts';
import type { Database } from '../../src/db/database.ts';
import type { Gateway } from './gateway.ts';

/** A personal access token of the admin API. */
export async function makeToken(
  database: Database,
  roles: readonly Role[],
  state: 'valid' | 'revoked' | 'expired' = 'valid',
): Promise<string> {
  const parts = mintToken();
  const livesMs = state === 'expired' ? -1_000 : 86_400_000;
  await database.transaction((tx) =>
    insertAccessToken(tx, {
      id: parts.id,
      name: `${roles.join('-')} ${state}`,
      roles,
      secretHash: hashToken(parts.secret),
      created_by: 'test',
      expires_at: new Date(Date.now() + livesMs),
    }),
  );
  if (state === 'revoked') {
    await database.query('update access_tokens set revoked_at = now() where id = $1', [parts.id]);
  }
  return tokenText(parts);
}

export type SessionTerms = {
  readonly roles: readonly (Role | MerchantRole)[];
  /** For a merchant's users. Absent: for the operator's. */
  readonly merchant?: { readonly id: number; readonly code: string };
  readonly state?: 'open' | 'half' | 'ended' | 'idle' | 'expired' | 'of a suspended user';
  /** The password was entered moments ago. */
  readonly steppedUp?: boolean;
};

let people = 0;

/** The session cookie of a separate user, as a browser sends it. */
export async function makeSession(
  database: Database,
  { roles, merchant, state = 'open', steppedUp = false }: SessionTerms,
): Promise<string> {
  people += 1;
  const name = `person-${process.pid}-${people}`;
  const [userId, id, token] = [newId(), newId(), newSecretToken()];
  await database.transaction(async (tx) => {
    await insertUser(tx, {
      id: userId,
      merchant_id: merchant?.id ?? null,
      email: `${name}@${(merchant?.code ?? 'oja').toLowerCase()}.example`,
      name,
      roles: roles as readonly Role[],
      created_by: 'test',
    });
    await insertSession(tx, {
      id,
      userId,
      tokenHash: hashOfToken(token),
      opened_by: 'password',
      address: '127.0.0.1',
      agent: 'test',
      state: state === 'half' ? 'half' : 'open',
      steppedUp: steppedUp ? 'always' : 'no',
    });
    const over = endings[state];
    if (over !== undefined) await tx.query(over, [state === 'of a suspended user' ? userId : id]);
  });
  return `__Host-oja_${merchant === undefined ? 'console' : 'portal'}=${token}`;
}

const endings: Readonly<Record<NonNullable<SessionTerms['state']>, string | undefined>> = {
  open: undefined,
  half: undefined,
  ended: "update user_sessions set ended_at = now(), ended_by = 'test' where id = $1",
  idle: "update user_sessions set seen_at = now() - interval '31 minutes' where id = $1",
  expired: "update user_sessions set expires_at = now() - interval '1 second' where id = $1",
  'of a suspended user': 'update users set suspended_at = now() where id = $1',
};

/** Runs an operation over the admin API. Returns the `data` of its answer. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path
export type Run = (operation: string, input?: Readonly<Record<string, unknown>>) => Promise<any>;

export async function operate(gateway: Gateway): Promise<Run> {
  const token = await makeToken(gateway.database, ['admin']);
  const { adminUrl } = gateway;
  return async (name, input = {}) => {
    const [method = 'GET', route = ''] = operationNamed(name).route.split(' ');
    const rest = { ...input };
    const path = route.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
      delete rest[field];
      return encodeURIComponent(String(input[field]));
    });
    const isAsked = method === 'GET';
    const query = new URLSearchParams(Object.entries(rest).map(([key, value]) => [key, String(value)]));
    const answer = await fetch(`${adminUrl}${path}${isAsked ? `?${query}` : ''}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(!isAsked && { body: JSON.stringify(rest) }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text}`);
    return JSON.parse(text).data;
  };
}
