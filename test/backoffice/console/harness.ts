/** The console and the portal on a database of the test, called as browsers call them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { buildConsoleServer } from '../../../src/backoffice/console/server.ts';
import type { Audience } from '../../../src/backoffice/users/tenant-scope.ts';
import { type Clock, systemClock } from '../../../src/core/clock.ts';
import type { Database } from '../../../src/db/database.ts';
import { type Admin, startAdmin } from '../admin/harness.ts';

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path, and the assertions judge its shape
  readonly body: any;
};

/** A browser: it keeps its cookies. */
export type Browser = {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  run(operation: string, input?: unknown): Promise<Answer>;
  /** Another browser with the same cookies, like that of a thief. */
  copy(): Browser;
};

export const password = 'seven green lorries at dawn';

/**
 * Codes of apps are of the current time, for the test and the servers: no step ends between them.
 */
const moment = new Date();
const clockOfCodes: Clock = { ...systemClock, now: () => moment };

type Changes = {
  readonly clock?: Clock;
  readonly url?: string;
  readonly environment?: 'demo';
  /** Absent: a minute, longer than any task of a test. */
  readonly momentMs?: number;
};

export type ConsoleTest = AsyncDisposable & {
  readonly admin: Admin;
  readonly logged: object[];
  readonly server: (face: Audience) => FastifyInstance;
  /** From its own address unless one is given. */
  browser(face?: Audience, options?: { address?: string; server?: FastifyInstance }): Browser;
  /** Another process on the same database. */
  another(face?: Audience, changes?: Changes): Promise<FastifyInstance>;
  /** Invites a user, accepts, and sets up a second factor. Returns the signed-in browser. */
  person(email: string, roles: readonly string[], merchant?: string): Promise<Person>;
};

export type Person = {
  readonly email: string;
  readonly browser: Browser;
  readonly face: Audience;
  readonly seed: string | undefined;
  readonly recoveryCodes: readonly string[];
  /** The current code, or the code of a later step. */
  code(steps?: number): string;
};

let addresses = 0;

function newAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

export async function startConsole(): Promise<ConsoleTest> {
  const admin = await startAdmin();
  await keepTriesTaken(admin.database);
  const logged: object[] = [];
  const built = join(import.meta.dirname, '..', '..', 'fixtures', 'built-console');
  const servers: FastifyInstance[] = [];
  const build = async (face: Audience, changes: Changes = {}) => {
    const { services } = admin;
    const { database, sealer, pepper } = services;
    const server = await buildConsoleServer({
      services,
      database,
      sealer,
      pepper,
      face,
      built,
      clock: changes.clock ?? clockOfCodes,
      environment: changes.environment ?? 'production',
      url: changes.url,
      host: '127.0.0.1',
      trustedProxies: [],
      momentMs: changes.momentMs ?? 60_000,
      log: {
        info: (fields: object) => void logged.push(fields),
        error: (fields: object) => void logged.push(fields),
      },
    });
    servers.push(server);
    return server;
  };
  const both = { console: await build('console'), portal: await build('portal') };

  const browserOf = (
    server: FastifyInstance,
    address: string,
    cookies = new Map<string, string>(),
  ): Browser => {
    const send = async (
      method: 'GET' | 'POST',
      path: string,
      body: unknown,
      headers: Readonly<Record<string, string>>,
    ): Promise<Answer> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await server.inject({
        method,
        url: path,
        remoteAddress: address,
        headers: {
          host: 'localhost:8082',
          ...(cookie !== '' && { cookie }),
          ...(method === 'POST' && { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }),
          ...headers,
        },
        ...(method === 'POST' && { payload: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }),
      });
      for (const { name, value } of answer.cookies) {
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const isJson = String(answer.headers['content-type']).startsWith('application/json');
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: isJson ? answer.json() : answer.body,
      };
    };
    return {
      cookies,
      get: (path) => send('GET', path, undefined, {}),
      post: (path, body, headers = {}) => send('POST', path, body, headers),
      run: (operation, input) => send('POST', `/api/operations/${operation}`, input, {}),
      copy: () => browserOf(server, address, new Map(cookies)),
    };
  };

  const browser: ConsoleTest['browser'] = (face = 'console', { address = newAddress(), server } = {}) =>
    browserOf(server ?? both[face], address);

  const person: ConsoleTest['person'] = async (email, roles, merchant) => {
    const face: Audience = merchant === undefined ? 'console' : 'portal';
    const invited =
      merchant === undefined
        ? await admin.run('user.invite', { email, roles, link: true })
        : await admin.run('team.invite', { merchant, email, roles, link: true });
    const own = browser(face);
    const accepted = await own.post('/api/links/accept', { token: tokenOf(invited.link), password });
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    let seed: string | undefined;
    let recoveryCodes: readonly string[] = [];
    if (accepted.body.data.next === 'enrol') {
      const begun = await own.post('/api/second-factor/totp/begin');
      seed = begun.body.data.secret as string;
      // The code of an earlier step, so that those of now and later stay unused.
      const code = codeOf(seed, -1);
      const confirmed = await own.post('/api/second-factor/totp/confirm', { code });
      assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
      recoveryCodes = confirmed.body.data.recovery_codes;
    }
    const code = (steps = 0): string => codeOf(seed ?? '', steps);
    return { email, browser: own, face, seed, recoveryCodes, code };
  };

  return {
    admin,
    logged,
    server: (face) => both[face],
    browser,
    another: (face = 'console', changes = {}) => build(face, changes),
    person,
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) await server.close();
      await admin[Symbol.asyncDispose]();
    },
  };
}

/** Attempts are not replenished with time, because a busy machine needs long for a few of them. */
async function keepTriesTaken(database: Database): Promise<void> {
  await database.query(`
    create function keep_tries_taken() returns trigger language plpgsql as
      'begin new.counted_at = timestamptz ''2999-01-01''; return new; end';
    create trigger keep_tries_taken before insert or update of tokens on sign_in_buckets
    for each row execute function keep_tries_taken()`);
}

export function tokenOf(link: string): string {
  return /#token=(.+)$/.exec(link)?.[1] ?? '';
}

/** The code at the current time of this test's servers, or the code of a later step. */
export function codeOf(seed: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(seed), algorithm: 'SHA1', digits: 6, period: 30 });
  return totp.generate({ timestamp: moment.getTime() + steps * 30_000 });
}
