/**
 * A process dies during sign-in: between its steps and within them. The next process finds no
 * partial state. No link or code works twice, and no session works without a second factor.
 *
 * Two processes share one database: one is killed, the other continues.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const password = 'seven green lorries at dawn';
const next = 'nine yellow boats upstream';
const settings = { OJA_DATABASE_CONNECTIONS: '30' };

type Told = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path, and the assertions judge its shape
  readonly body: any;
};

/** A browser that keeps its cookies, and may continue at another process. */
class Client {
  #cookies = new Map<string, string>();

  constructor(cookies: ReadonlyMap<string, string> = new Map()) {
    this.#cookies = new Map(cookies);
  }

  copy(): Client {
    return new Client(this.#cookies);
  }

  async post(at: Gateway, path: string, body: object = {}): Promise<Told> {
    return await this.#send(at, path, { method: 'POST', body: JSON.stringify(body) });
  }

  async get(at: Gateway, path: string): Promise<Told> {
    return await this.#send(at, path, {});
  }

  async #send(at: Gateway, path: string, init: RequestInit): Promise<Told> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${consoleOf(at).url}${path}`, { ...init, headers });
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      this.#cookies.set(name, value);
    }
    return { status: answer.status, body: await answer.json() };
  }
}

function consoleOf(gateway: Gateway): { readonly url: string; readonly token: string } {
  const [, url = '', token = ''] =
    /Console +(http:\S+) +sign in once at http:\S+#token=(\S+)/.exec(gateway.output()) ?? [];
  return { url, token };
}

/** Not a code of an earlier step, so it is still valid when the step ends. */
function codeOf(secret: string, stepsLater = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
  return totp.generate({ timestamp: Date.now() + stepsLater * 30_000 });
}

type Person = {
  readonly email: string;
  readonly client: Client;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
};

describe('a process that dies while people sign in', () => {
  const stack = new AsyncDisposableStack();
  const admin = new Client();
  let doomed: Gateway;
  let other: Gateway;

  before(async () => {
    doomed = stack.use(await startGateway({ simulatorUrl: 'http://127.0.0.1:9', settings }));
    const { databaseUrl, dataDir, simulatorUrl } = doomed;
    other = stack.use(await startGateway({ databaseUrl, dataDir, simulatorUrl, settings }));
    const { status } = await admin.post(other, '/api/sign-in/link', { token: consoleOf(other).token });
    assert.equal(status, 200);
  });
  after(() => stack.disposeAsync());

  const run = async (operation: string, input: object): Promise<Told> => {
    const told = await admin.post(other, `/api/operations/${operation}`, input);
    assert.equal(told.status, 200, JSON.stringify(told.body));
    return told;
  };
  const linkOf = ({ body }: Told): string => /#token=(.+)$/.exec(body.data.link)?.[1] ?? '';
  const invite = async (email: string): Promise<string> =>
    linkOf(await run('user.invite', { email, roles: ['admin'], link: true }));
  /** Accepted, with an app that is started and not confirmed. */
  const begin = async (email: string): Promise<{ client: Client; secret: string }> => {
    const client = new Client();
    const token = await invite(email);
    assert.equal((await client.post(doomed, '/api/links/accept', { token, password })).status, 200);
    const begun = await client.post(doomed, '/api/second-factor/totp/begin');
    return { client, secret: begun.body.data.secret };
  };
  const enrol = async (email: string): Promise<Person> => {
    const { client, secret } = await begin(email);
    const done = await client.post(doomed, '/api/second-factor/totp/confirm', { code: codeOf(secret) });
    assert.equal(done.status, 200, JSON.stringify(done.body));
    return { email, client, secret, recoveryCodes: done.body.data.recovery_codes };
  };
  const givePassword = async (at: Gateway, email: string, text = password): Promise<Client> => {
    const client = new Client();
    const { status, body } = await client.post(at, '/api/sign-in', { email, password: text });
    assert.deepEqual([status, body.data?.next], [200, 'code'], JSON.stringify(body));
    return client;
  };

  it('accepts a code, a recovery code and a link once, of two processes at once', async () => {
    const racer = await enrol('racer@shop.example');
    const both = async (path: string, body: object): Promise<number[]> => {
      const [one, two] = [await givePassword(doomed, racer.email), await givePassword(other, racer.email)];
      const told = await Promise.all([one.post(doomed, path, body), two.post(other, path, body)]);
      return told.map(({ status }) => status).sort();
    };
    assert.deepEqual(await both('/api/sign-in/code', { code: codeOf(racer.secret, 1) }), [200, 401]);
    for (const recovery_code of racer.recoveryCodes.slice(0, 3)) {
      assert.deepEqual(await both('/api/sign-in/code', { recovery_code }), [200, 401]);
    }
    const token = await invite('linked@shop.example');
    const accepted = await Promise.all(
      [doomed, other].map((at) => new Client().post(at, '/api/links/accept', { token, password })),
    );
    assert.deepEqual(accepted.map(({ status }) => status).sort(), [200, 404]);
  });

  it('leaves nothing half-stored, wherever it dies', async () => {
    const { database } = doomed;
    const half = await enrol('half@shop.example');
    const halfClient = await givePassword(doomed, half.email);
    const coded = await enrol('coded@shop.example');
    const codedClient = await givePassword(doomed, coded.email);
    const enrolling = await begin('enrolling@shop.example');
    const fresh = await begin('fresh@shop.example');
    const invited = await invite('invited@shop.example');
    const renewing = await enrol('renewing@shop.example');
    const resetting = await enrol('resetting@shop.example');
    const reset = linkOf(await run('user.reset', { email: resetting.email, link: true }));
    const late = await enrol('late@shop.example');
    const lateClient = await givePassword(doomed, late.email);
    const lateCode = codeOf(late.secret, 1);
    const codedCode = codeOf(coded.secret, 1);
    const enrollingCode = codeOf(enrolling.secret);
    const freshCode = codeOf(fresh.secret);

    // Two are committed, and die before they are answered: the attempts are returned after that.
    await database.query(`
      create function hold_up() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(4711); return null; end';
      create trigger hold_up after delete on sign_in_buckets for each row execute function hold_up()`);
    const untilBlocked = async (count: number): Promise<void> => {
      await until(`${count} wait`, async () => {
        const [row] = await database.query<{ count: number }>(
          `select count(*)::integer as count
           from pg_stat_activity
           where datname = current_database()
           and wait_event_type = 'Lock'`,
        );
        return (row?.count ?? 0) >= count;
      });
    };
    await database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(4711)');
      const unanswered = [
        lateClient.copy().post(doomed, '/api/sign-in/code', { code: lateCode }),
        fresh.client.copy().post(doomed, '/api/second-factor/totp/confirm', { code: freshCode }),
      ];
      for (const one of unanswered) one.catch(() => undefined);
      await untilBlocked(2);
      // These die in the middle of their transactions: the audit log comes last in each.
      await tx.query('lock table audit_log in exclusive mode');
      const cut = [
        codedClient.copy().post(doomed, '/api/sign-in/code', { code: codedCode }),
        enrolling.client.copy().post(doomed, '/api/second-factor/totp/confirm', { code: enrollingCode }),
        new Client().post(doomed, '/api/links/accept', { token: invited, password }),
        new Client().post(doomed, '/api/links/accept', { token: reset, password: next }),
        renewing.client.copy().post(doomed, '/api/second-factor/recovery-codes'),
      ];
      for (const one of cut) one.catch(() => undefined);
      await untilBlocked(7);
      doomed.kill('SIGKILL');
      assert.equal((await doomed.exited).signal, 'SIGKILL');
      // Rolls back the transactions of a dead process, as a server does when it notices the death.
      await tx.query(
        `select pg_terminate_backend(pid)
         from pg_stat_activity
         where datname = current_database()
         and wait_event_type = 'Lock'`,
      );
    });
    await database.query('drop trigger hold_up on sign_in_buckets; drop function hold_up()');

    // Dies between the password and the code: the sign-in continues there.
    assert.equal((await halfClient.get(other, '/api/session')).body.error.code, 'second_factor_needed');
    const code = codeOf(half.secret, 1);
    assert.equal((await halfClient.post(other, '/api/sign-in/code', { code })).status, 200);

    // In the middle: the code was not used up, and the session was not opened.
    assert.equal((await codedClient.get(other, '/api/session')).body.error.code, 'second_factor_needed');
    assert.equal((await codedClient.post(other, '/api/sign-in/code', { code: codedCode })).status, 200);

    // An app that was not confirmed is not a second factor. Its owner can only confirm it.
    const acting = await enrolling.client.post(other, '/api/operations/merchant.list');
    assert.deepEqual([acting.status, acting.body.error.code], [401, 'second_factor_needed']);
    const confirmed = await enrolling.client.post(other, '/api/second-factor/totp/confirm', {
      code: codeOf(enrolling.secret),
    });
    assert.deepEqual([confirmed.status, confirmed.body.data?.recovery_codes.length], [200, 10]);

    // An invitation is still valid during its acceptance, and invalid after it.
    const accept = (token: string, text: string): Promise<Told> =>
      new Client().post(other, '/api/links/accept', { token, password: text });
    const [stored] = await database.query("select password from users where email = 'invited@shop.example'");
    assert.deepEqual(stored, { password: null });
    assert.equal((await accept(invited, password)).body.data.next, 'enrol');
    assert.equal((await accept(invited, next)).status, 404);

    // The old password is valid until the new one is stored, and the link is valid until then.
    await givePassword(other, resetting.email);
    assert.equal((await accept(reset, next)).body.data.next, 'code');
    assert.equal((await accept(reset, password)).status, 404);
    const old = await new Client().post(other, '/api/sign-in', { email: resetting.email, password });
    assert.equal(old.status, 401);
    await givePassword(other, resetting.email, next);

    // The earlier recovery codes, all ten, are the ones that work.
    const [recovery_code = ''] = renewing.recoveryCodes;
    const recovering = await givePassword(other, renewing.email);
    assert.equal((await recovering.post(other, '/api/sign-in/code', { recovery_code })).status, 200);
    const { second_factor: factor } = (await recovering.get(other, '/api/session')).body.data;
    assert.deepEqual([factor.totp, factor.recovery_codes_left], [true, 9]);

    // Committed without an answer: the token of that session is lost, and the code is used.
    assert.equal((await lateClient.get(other, '/api/session')).body.error.code, 'signed_out');
    const retried = await givePassword(other, late.email);
    assert.equal((await retried.post(other, '/api/sign-in/code', { code: lateCode })).status, 401);
    const spare = late.recoveryCodes[0] ?? '';
    assert.equal((await retried.post(other, '/api/sign-in/code', { recovery_code: spare })).status, 200);

    // A user who never saw the recovery codes has a second factor, and uses it to create new ones.
    assert.equal((await fresh.client.get(other, '/api/session')).body.error.code, 'signed_out');
    const owner = await givePassword(other, 'fresh@shop.example');
    assert.equal((await owner.post(other, '/api/sign-in/code', { code: freshCode })).status, 401);
    const later = { code: codeOf(fresh.secret, 1) };
    assert.equal((await owner.post(other, '/api/sign-in/code', later)).status, 200);
    const renewed = await owner.post(other, '/api/second-factor/recovery-codes');
    assert.equal(renewed.body.data.recovery_codes.length, 10);
    // No user who may run operations lacks a second factor.
    const bare = await database.query(`
      select u.email
      from user_sessions s
      join users u on u.id = s.user_id
      where s.state = 'open'
      and s.ended_at is null
      and u.password is not null
      and not exists (select from user_totps t where t.user_id = u.id and t.confirmed_at is not null)`);
    assert.deepEqual(bare, []);
  });
});
