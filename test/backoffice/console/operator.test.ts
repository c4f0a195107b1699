/** The work of operators at the console, besides signing in. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findOperator } from '../../../src/backoffice/access/find-operator.ts';
import { operations } from '../../../src/backoffice/operations/registry.ts';
import { listTasks } from '../../../src/backoffice/tasks/task-store.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import { createLog } from '../../../src/core/log.ts';
import { assignNewPositions } from '../../../src/notifications/events/assign-positions.ts';
import { CommitWatermark } from '../../../src/notifications/events/commit-watermark.ts';
import { createWebhookWork } from '../../../src/notifications/webhooks/deliver-events.ts';
import { accept, answer, type Buyer, openBuyer, purchase, resolveWords } from '../../purchases/fixture.ts';
import { createTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { type Browser, type ConsoleTest, password, startConsole, tokenOf } from './harness.ts';

let test: ConsoleTest;
let admin: Browser;

before(async () => {
  test = await startConsole();
  admin = (await test.person('ops@oja.example', ['admin'])).browser;
});
after(() => test[Symbol.asyncDispose]());

describe('the webhooks of a purchase', () => {
  let buyer: Buyer;
  let merchant: string;
  /** The answer of each address. */
  const answers = new Map<string, number>();

  before(async () => {
    buyer = await openBuyer(test.admin.database, 10_000_000n);
    const [row] = await test.admin.database.query<{ code: string }>(
      'select code from merchants where id = $1',
      [buyer.merchantId],
    );
    merchant = row?.code ?? '';
  });

  async function endpoint(path: string, status: number, events?: string[]): Promise<string> {
    const url = `https://shop.example/${path}`;
    answers.set(url, status);
    const given = { merchant, environment: 'live', url, ...(events && { events }) };
    return (await test.admin.run('webhook.create', given)).id;
  }

  async function sell(kind: 'success' | 'failed' | 'unknown'): Promise<string> {
    const item = purchase(buyer, 100n);
    await accept(test.admin.database, item);
    await resolveWords(test.admin.database, answer(buyer, item, kind));
    return item.id;
  }

  /**
   * Runs the job until each endpoint was tried with the events of the purchase. Other events, such
   * as a disabled endpoint, may be sent first.
   */
  async function send(reference: string, endpoints: readonly string[]): Promise<void> {
    const { database } = test.admin;
    await assignNewPositions(database);
    const work = createWebhookWork({
      database,
      watermark: new CommitWatermark(database),
      clock: systemClock,
      log: createLog('silent'),
      failpoints: noFailpoints,
      random: () => 0.5,
      compose: async (_owner, events) => new Map(events.map(({ id }) => [id, { id, body: '{}' }])),
      turn: async () => true,
      send: async ({ url }) => ({
        status: answers.get(url) ?? 500,
        note: undefined,
        answer: 'told',
        durationMs: 1,
        retryAfterMs: undefined,
      }),
      onTried: () => undefined,
    });
    await until('all are tried', async () => {
      await work.run();
      const tried = await database.query(
        `select 1
         from webhook_deliveries
         where (event_id = $1 or purchase_id = $1)
         and endpoint_id = any($2::uuid[])
         and tries > 0`,
        [reference, endpoints],
      );
      return tried.length === endpoints.length;
    });
    await work.finish();
  }

  async function told(reference: string, browser = admin) {
    const { status, body } = await browser.run('purchase.webhooks', { reference });
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.webhooks as readonly Record<string, unknown>[];
  }

  it('shows for each endpoint the tries, the next try and the reason for its delay', async () => {
    const before = await sell('success');
    const well = await endpoint('well', 204);
    const bad = await endpoint('bad', 500);
    const off = await endpoint('off', 200);
    const other = await endpoint('other', 200, ['order.success']);
    await test.admin.run('webhook.disable', { endpoint: off, reason: 'it floods' });
    const id = await sell('success');
    const short = (rows: readonly Record<string, unknown>[]) =>
      rows.map((row) => [row.endpoint, row.event_type, row.state, row.tries]);
    assert.deepEqual(short(await told(id)), [
      [well, 'transaction.success', 'to_send', 0],
      [bad, 'transaction.success', 'to_send', 0],
      [off, 'transaction.success', 'held', 0],
    ]);
    // The newer endpoint is served first, although it is listed after the older one.
    await test.admin.run('webhook.disable', { endpoint: well, reason: 'it moves' });
    await send(id, [bad]);
    await test.admin.run('webhook.enable', { endpoint: well });
    await send(id, [well]);
    const tried = await told(id);
    assert.deepEqual(short(tried), [
      [well, 'transaction.success', 'delivered', 1],
      [bad, 'transaction.success', 'waiting', 1],
      [off, 'transaction.success', 'held', 0],
    ]);
    assert.deepEqual(
      tried.map((row) => [row.http_status, typeof row.next_at, row.endpoint_state]),
      [
        [204, 'object', 'enabled'],
        [500, 'string', 'enabled'],
        [null, 'object', 'disabled'],
      ],
    );
    // A named delivery is listed by itself.
    const one = await admin.run('webhook.deliveries', { endpoint: bad, delivery: tried[1]?.delivery });
    assert.deepEqual([one.body.data.length, one.body.data[0].event_id], [1, id]);
    const none = await admin.run('webhook.deliveries', { endpoint: well, delivery: tried[1]?.delivery });
    assert.deepEqual(none.body.data, []);
    // A purchase made before the first endpoint existed is not sent.
    assert.deepEqual(await told(before), []);
    await test.admin.run('webhook.disable', { endpoint: bad, reason: 'it fails' });
    assert.deepEqual(short(await told(id))[1], [bad, 'transaction.success', 'held', 1]);
    await test.admin.run('webhook.delete', { endpoint: other });
  });

  it('also shows other events and those of a deleted endpoint, but none of another merchant', async () => {
    const { database } = test.admin;
    const gone = await endpoint('gone', 200, ['transaction.overdue']);
    const id = await sell('unknown');
    assert.deepEqual(await told(id), [], 'it is pending, and nothing is told yet');
    const owner = { merchantId: buyer.merchantId, environment: buyer.environment };
    await database.query(
      `insert into events (merchant_id, environment, id, type, purchase_id)
       values ($1, $2, gen_random_uuid(), 'purchase.overdue', $3)`,
      [owner.merchantId, owner.environment, id],
    );
    await send(id, [gone]);
    await test.admin.run('webhook.delete', { endpoint: gone });
    const rows = (await told(id)).filter((row) => row.endpoint === gone);
    assert.deepEqual(
      rows.map((row) => [row.event_type, row.state, row.endpoint_state, row.url]),
      [['transaction.overdue', 'delivered', 'deleted', null]],
    );
    const viewer = (await test.person('sees@oja.example', ['viewer'])).browser;
    assert.equal((await told(id, viewer)).length, (await told(id)).length);
    assert.equal((await viewer.run('purchase.webhooks', { reference: 'nobody-knows' })).status, 404);
    const member = await test.person('own@buyer.example', ['owner'], merchant);
    assert.equal((await member.browser.run('purchase.webhooks', { reference: id, merchant })).status, 403);
  });
});

describe('background tasks', () => {
  const states = async (browser = admin) =>
    (await browser.run('task.list', {})).body.data.map((task: { state: string }) => task.state);

  it('returns a task that ends soon as an ordinary answer, and finds it again', async () => {
    const ran = await admin.run('audit.run', {});
    assert.deepEqual([ran.status, ran.body.data.ok], [200, true]);
    const [task] = (await admin.run('task.list', {})).body.data;
    assert.deepEqual([task.operation, task.state, task.started_by], ['audit.run', 'done', 'ops']);
    const shown = await admin.run('task.show', { task: task.id });
    assert.deepEqual(shown.body.data.output, ran.body.data);
    // A refused operation starts no task.
    const refused = await admin.run('reconciliation.run', { party: 'nobody', limit: 0 });
    assert.equal(refused.status, 400);
    assert.equal((await states()).length, 1);
  });

  it('continues a task that no one watches, and does not run it twice', async (test_) => {
    const { database } = test.admin;
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holding = database.transaction(async (tx) => {
      await tx.query('lock table audit_runs in access exclusive mode');
      isHeld.resolve();
      await held.promise;
    });
    await isHeld.promise;
    test_.after(() => held.resolve());
    // A process that waits for no work.
    const elsewhere = test.browser('console', { server: await test.another('console', { momentMs: 0 }) });
    for (const [name, value] of admin.cookies) elsewhere.cookies.set(name, value);
    const begun = await elsewhere.run('audit.run', {});
    assert.equal(begun.status, 202);
    const { task } = begun.body.data;
    assert.deepEqual([task.state, task.is_whole, task.ended_at], ['running', true, null]);
    const again = await elsewhere.run('audit.run', {});
    assert.deepEqual([again.status, again.body.error.code], [409, 'task_running']);
    assert.match(again.body.error.message, new RegExp(task.id));
    // Another process reports the same.
    assert.equal((await admin.run('audit.run', {})).status, 409);
    held.resolve();
    await holding;
    await until('it is done', async () => (await states())[0] === 'done');
    const { output } = (await admin.run('task.show', { task: task.id })).body.data;
    assert.equal(output.ok, true);
    assert.equal((await admin.run('audit.run', {})).status, 200);
    const absent = await admin.run('task.show', { task: '0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69' });
    assert.deepEqual([absent.status, absent.body.error.code], [404, 'no_task']);
  });

  it('explains a failed task, and keeps no file and no personal data', async () => {
    const statement = `code,product\n${'x,AIRTIME\n'.repeat(400)}`;
    const named = { party: 'vtpass', mapping: '{' };
    const failed = await admin.run('reconciliation.run', { ...named, statement });
    assert.ok(failed.status >= 400, JSON.stringify(failed.body));
    const [task] = (await admin.run('task.list', {})).body.data;
    assert.deepEqual([task.state, task.is_whole], ['failed', false]);
    assert.equal(task.error, failed.body.error.message);
    assert.deepEqual(task.input, { ...named, apply: false, limit: 50 });
    for (const one of operations.filter(({ isLong }) => isLong === true)) {
      assert.ok(
        one.showsSecret !== true && one.portal === undefined && !/^person\./.test(one.name),
        one.name,
      );
    }
    const viewer = (await test.person('looks@oja.example', ['viewer'])).browser;
    assert.equal((await viewer.run('reconciliation.run', named)).status, 403);
    assert.equal((await states(viewer)).length, (await states()).length);
  });

  it('shows a task of a killed process as stopped, and can start it again', async () => {
    const clone = await createTestDatabase();
    const other = clone.database;
    const page = { state: undefined, before: undefined, limit: 10 };
    try {
      const started = async () => {
        const child = spawn(process.execPath, [join(import.meta.dirname, 'run-one-task.ts')], {
          env: { ...process.env, DATABASE_URL: clone.connectionString },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const [line] = await once(child.stdout, 'data');
        return { child, line: String(line).trim() };
      };
      const first = await started();
      assert.match(first.line, /^running /);
      const far = await until('it says how far it is', async () => {
        const [task] = await listTasks(other, page);
        return task?.done ?? undefined;
      });
      assert.equal(far, 3n);
      first.child.kill('SIGKILL');
      await once(first.child, 'exit');
      const list = async () =>
        await other.query('select outcome, ended_at is null as runs from tasks order by id');
      assert.deepEqual(await list(), [{ outcome: null, runs: true }], 'nobody could say that it ended');
      // The process counts as alive until its heartbeats have been missing too long.
      const refused = await started();
      assert.match(refused.line, /^task_running/);
      await other.query("update tasks set seen_at = seen_at - interval '31 seconds'");
      const [stopped] = await listTasks(other, page);
      assert.ok(stopped?.state === 'stopped' && stopped.ended_at !== null);
      const second = await started();
      assert.match(second.line, /^running /);
      assert.deepEqual(
        (await listTasks(other, page)).map(({ state }) => state),
        ['running', 'stopped'],
      );
      // A process that stops in order reports its stop itself.
      second.child.kill('SIGTERM');
      await once(second.child, 'exit');
      const [last] = await listTasks(other, page);
      assert.ok(last?.state === 'stopped' && last.error !== null);
    } finally {
      await clone[Symbol.asyncDispose]();
    }
  });
});

describe('the access tokens that somebody made', () => {
  async function maker(email: string) {
    const own = await test.person(email, ['admin', 'finance']);
    const token = (await own.browser.run('token.create', { role: ['support'], name: 'till' })).body.data
      .token;
    // Made by a token of the person, with the admin API.
    const chief = (await own.browser.run('token.create', { role: ['admin'], name: 'robot' })).body.data.token;
    const made = await test.admin.call('POST', '/tokens', { token: chief, body: { role: ['viewer'] } });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return { ...own, tokens: [token, chief, made.body.data.token] as const };
  }

  async function works(tokens: readonly string[]): Promise<boolean[]> {
    const found = tokens.map((token) => findOperator(test.admin.database, token, 'admin'));
    return (await Promise.all(found)).map((operator) => operator !== undefined);
  }

  const all = [true, true, true];
  const none = [false, false, false];

  it('suspending a person ends their access tokens, and no others', async () => {
    const [ada, ben] = [await maker('ada7@oja.example'), await maker('ben7@oja.example')];
    assert.deepEqual(await works(ada.tokens), all);
    await test.admin.run('user.suspend', { email: ada.email });
    assert.deepEqual([await works(ada.tokens), await works(ben.tokens)], [none, all]);
    await test.admin.run('user.resume', { email: ada.email });
    assert.deepEqual(await works(ada.tokens), none, 'they do not come back');
    const [entry] = await test.admin.database.query<{ after: object }>(
      "select after from audit_log where action = 'user.suspend' order by id desc limit 1",
    );
    assert.deepEqual(entry?.after, { suspended: true, tokens_ended: 3 });
  });

  it('losing the role that made them ends access tokens, and other changes of roles do not', async () => {
    const eve = await maker('eve7@oja.example');
    await test.admin.run('user.set_roles', { email: eve.email, roles: ['admin'] });
    assert.deepEqual(await works(eve.tokens), all);
    await test.admin.run('user.set_roles', { email: eve.email, roles: ['support', 'finance'] });
    assert.deepEqual(await works(eve.tokens), none);
  });

  it('resetting a password ends access tokens, and changing one’s own does not', async () => {
    const zoe = await maker('zoe7@oja.example');
    const changed = await zoe.browser.post('/api/password', { password: 'another quite long one' });
    assert.equal(changed.status, 200);
    assert.deepEqual(await works(zoe.tokens), all);
    const { link } = await test.admin.run('user.reset', { email: zoe.email, link: true });
    assert.deepEqual(await works(zoe.tokens), none);
    const accepted = await test.browser().post('/api/links/accept', { token: tokenOf(link), password });
    assert.equal(accepted.status, 200);
  });
});

describe('a file of a list', () => {
  it('exports the lines of a statement too, up to a stated limit', async () => {
    await test.admin.run('merchant.create', { code: 'STATED', name: 'Stated' });
    for (const amount of ['5', '7.50']) {
      const credit = { merchant: 'STATED', environment: 'live', currency: 'NGN', amount, memo: 'paid' };
      await test.admin.run('wallet.credit', credit);
    }
    const input = encodeURIComponent(JSON.stringify({ merchant: 'STATED' }));
    const csv = await admin.get(`/api/csv/wallet.statement?input=${input}`);
    const [head = '', ...lines] = String(csv.body).trim().split('\r\n');
    assert.match(head, /^time,type,reference,/);
    assert.equal(lines.length, 2);
    assert.equal(csv.headers['x-rows-max'], '500000');
    // An object with several lists does not count as a list, nor does one without.
    for (const name of ['report.show', 'merchant.show', 'catalog.import']) {
      assert.equal((await admin.get(`/api/csv/${name}?input=${input}`)).status, 404, name);
    }
    const books = encodeURIComponent(JSON.stringify({ environment: 'live' }));
    const journal = await admin.get(`/api/csv/books.export?input=${books}`);
    assert.deepEqual(
      [journal.status, journal.headers['content-type'], journal.headers['content-disposition']],
      [200, 'text/plain; charset=utf-8', 'attachment; filename="books.export.txt"'],
    );
  });
});
