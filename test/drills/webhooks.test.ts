/** Webhooks and the feed through the public interface, on a gateway with a merchant's server. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventTypes } from '../../src/notifications/events/event.ts';
import { runOja } from '../cli/harness.ts';
import {
  airtime,
  airtimeSync,
  eventually,
  newReference,
  openGatewayUnderTest,
} from '../e2e/gateway-under-test.ts';
import type { Answer, CallOptions } from '../support/gateway.ts';
import { type Received, startWebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
// Its pauses are those of the documents, so a test makes the next attempt due itself.
const gateway = await openGatewayUnderTest({ settings: { OJA_TIME_SCALE: '1' } });
after(() => receiver[Symbol.asyncDispose]());

const endpointsPath = '/v1/webhooks/endpoints';

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  options: CallOptions = {},
  status = 200,
): Promise<Answer['body']> {
  const answer = await gateway.call(method, path, options);
  assert.equal(answer.status, status, answer.text);
  return answer.body;
}

type Made = { readonly id: string; readonly secret: string; readonly path: string };

let paths = 0;

/** An endpoint with a separate path at the receiver, deleted after the test. */
async function openEndpoint(fields: Record<string, unknown> = {}): Promise<Made & AsyncDisposable> {
  paths += 1;
  const path = `/hook-${paths}`;
  const { data } = await call('POST', endpointsPath, { body: { url: receiver.url + path, ...fields } });
  return {
    id: data.id,
    secret: data.secret,
    path,
    [Symbol.asyncDispose]: async () => {
      receiver.answer = undefined;
      await call('DELETE', `${endpointsPath}/${data.id}`);
    },
  };
}

async function buy(fields: Record<string, unknown> = {}): Promise<string> {
  const reference = newReference();
  await call('POST', airtimeSync, { body: airtime({ request_ref: reference, ...fields }) });
  return reference;
}

async function arrived(path: string, reference: string, times = 1): Promise<Received[]> {
  return await eventually(`an event of ${reference}`, async () => {
    const found = receiver.of(path).filter(({ event }) => event.data.payload?.request_id === reference);
    return found.length >= times ? found : undefined;
  });
}

function verify({ headers, body }: Received, secret: string): void {
  new Webhook(secret).verify(body, headers as Record<string, string>);
}

async function deliveriesOf(endpoint: Made, query = ''): Promise<Answer['body'][]> {
  return (await call('GET', `/v1/webhooks/deliveries?endpoint=${endpoint.id}${query}`)).data;
}

describe('an endpoint', () => {
  it('an endpoint gets each final purchase, signed, with the answer of its status', async () => {
    await using endpoint = await openEndpoint();
    assert.match(endpoint.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const good = await buy();
    const bad = await buy({ msisdn: '08000000001' });
    const [success] = await arrived(endpoint.path, good);
    const [failed] = await arrived(endpoint.path, bad);
    assert.ok(success && failed);
    verify(success, endpoint.secret);
    verify(failed, endpoint.secret);
    assert.throws(() =>
      verify({ ...success, body: success.body.replace('100.00', '900.00') }, endpoint.secret),
    );
    assert.throws(() => verify(success, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'));
    assert.equal(success.headers['webhook-id'], success.event.id);
    assert.deepEqual([success.event.type, failed.event.type], ['transaction.success', 'transaction.failed']);
    for (const [reference, one] of [
      [good, success],
      [bad, failed],
    ] as const) {
      assert.deepEqual(one.event.data, await call('GET', `/v1/transactions/status?request_ref=${reference}`));
    }
  });

  it('an endpoint gets its event types, and goods only on request', async () => {
    const { cursor } = await call('GET', '/v1/events?after=latest&wait=0');
    await using failures = await openEndpoint({ events: ['transaction.failed'] });
    await using goods = await openEndpoint({ include_goods: true });
    await using plain = await openEndpoint();
    const reference = newReference();
    const network = 'Ikeja Electric';
    const meter = { product: 'ELECTRICITY', network, msisdn: '10000000001', amount: '1000.00' };
    const plans = await call('GET', '/v1/plans/bills/electricity?network=Ikeja%20Electric');
    const prepaid = plans.data.find(({ name }: { name: string }) => /prepaid/i.test(name));
    const { data } = await call('POST', '/v1/transactions', {
      body: { merchant: 'DEMO', ...meter, plan_code: String(prepaid.id), request_ref: reference },
    });
    assert.match(data.token, /\d/);
    const [open] = await arrived(goods.path, reference);
    const [bare] = await arrived(plain.path, reference);
    assert.equal(open?.event.data.payload.token, data.token);
    assert.equal(bare?.event.data.payload.token, undefined);
    assert.ok(bare && !bare.body.includes(data.token));
    assert.equal(open?.event.id, bare.event.id);
    assert.deepEqual(receiver.of(failures.path), []);
    const fed = JSON.stringify(await call('GET', `/v1/events?after=${cursor}&wait=0`));
    assert.ok(fed.includes(reference) && !fed.includes(data.token));
  });

  it('retries under the same id, and its deliveries list each try', async () => {
    await using endpoint = await openEndpoint();
    const seen: string[] = [];
    receiver.answer = (response, { event, path }) => {
      if (path === endpoint.path) seen.push(event.id);
      response.statusCode = seen.length === 1 && path === endpoint.path ? 500 : 200;
      response.end(`answer ${seen.length}`);
    };
    const reference = await buy();
    await arrived(endpoint.path, reference, 1);
    const [waiting] = await eventually('a stored try', async () => {
      const found = await deliveriesOf(endpoint);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(
      [waiting.state, waiting.tries, waiting.http_status, waiting.answer],
      ['waiting', 1, 500, 'answer 1'],
    );
    const inMs = Date.parse(waiting.next_try_at) - Date.parse(waiting.tried_at);
    assert.ok(inMs >= 3_900, `${inMs}`);
    await gateway.database.query('update webhook_deliveries set due_at = now() where due_at is not null');
    await arrived(endpoint.path, reference, 2);
    const [delivered] = await eventually('it is delivered', async () => {
      const found = await deliveriesOf(endpoint, '&state=delivered');
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual([delivered.id, delivered.tries, delivered.next_try_at], [waiting.id, 2, null]);
    assert.equal(new Set(seen).size, 1);
  });

  it('resends an event on request, and sends a test event', async () => {
    await using endpoint = await openEndpoint();
    const reference = await buy();
    await arrived(endpoint.path, reference);
    const [delivery] = await eventually('it is stored', async () => {
      const found = await deliveriesOf(endpoint, '&state=delivered');
      return found.length > 0 ? found : undefined;
    });
    const replayed = await call('POST', `/v1/webhooks/deliveries/${delivery.id}/replay`);
    assert.equal(replayed.data.state, 'waiting');
    const both = await arrived(endpoint.path, reference, 2);
    assert.equal(new Set(both.map(({ event }) => event.id)).size, 1);
    const range = { from: delivery.created_at, state: 'delivered' };
    await eventually('it is stored again', async () => (await deliveriesOf(endpoint, '&state=delivered'))[0]);
    const many = await call('POST', `${endpointsPath}/${endpoint.id}/replay`, { body: range });
    assert.deepEqual(many.data, { replayed: 1, more: false, from: null });
    await arrived(endpoint.path, reference, 3);
    const test = await call('POST', `${endpointsPath}/${endpoint.id}/test`);
    const [sent] = await eventually('the test event', async () => {
      const found = receiver.of(endpoint.path).filter(({ event }) => event.id === test.data.event_id);
      return found.length > 0 ? found : undefined;
    });
    assert.equal(sent?.event.type, 'endpoint.test');
    for (const malformed of [{ from: 'yesterday' }, { from: delivery.created_at, state: 'lost' }, {}]) {
      const status = 'from' in malformed ? 400 : 422;
      await call('POST', `${endpointsPath}/${endpoint.id}/replay`, { body: malformed }, status);
    }
  });

  it('signs with both secrets after a rotation, and only with the new one without an overlap', async () => {
    await using endpoint = await openEndpoint();
    const rotated = await call('POST', `${endpointsPath}/${endpoint.id}/rotate`, { body: {} });
    assert.notEqual(rotated.data.secret, endpoint.secret);
    assert.ok(Date.parse(rotated.data.old_secret_ends_at) > Date.now() + 80_000_000);
    const [first] = await arrived(endpoint.path, await buy());
    assert.ok(first);
    verify(first, endpoint.secret);
    verify(first, rotated.data.secret);
    await gateway.database.query('update webhook_endpoints set old_secret_ends_at = now()');
    const [later] = await arrived(endpoint.path, await buy());
    assert.ok(later);
    verify(later, rotated.data.secret);
    assert.throws(() => verify(later, endpoint.secret), 'the time of the old one is over');
    const again = await call('POST', `${endpointsPath}/${endpoint.id}/rotate`, { body: { overlap_s: 0 } });
    assert.equal(again.data.old_secret_ends_at, null);
    const [second] = await arrived(endpoint.path, await buy());
    assert.ok(second);
    verify(second, again.data.secret);
    assert.throws(() => verify(second, rotated.data.secret));
    // Rotated twice, because an answer was lost: the secret in use stays valid.
    await call('POST', `${endpointsPath}/${endpoint.id}/rotate`, { body: {} });
    const found = await call('POST', `${endpointsPath}/${endpoint.id}/rotate`, { body: {} });
    const [third] = await arrived(endpoint.path, await buy());
    assert.ok(third);
    verify(third, found.data.secret);
    verify(third, again.data.secret);
    assert.throws(() => verify(third, rotated.data.secret), 'what ended comes back with no rotation');
    const ended = await call('POST', `${endpointsPath}/${endpoint.id}/rotate`, { body: { overlap_s: 0 } });
    const [fourth] = await arrived(endpoint.path, await buy());
    assert.ok(fourth);
    verify(fourth, ended.data.secret);
    for (const old of [again, found]) assert.throws(() => verify(fourth, old.data.secret));
  });

  it('sends no events to a disabled endpoint, and the missed ones after it is enabled', async () => {
    await using endpoint = await openEndpoint();
    await call('PATCH', `${endpointsPath}/${endpoint.id}`, { body: { state: 'disabled' } });
    const missed = await buy();
    await call('POST', `${endpointsPath}/${endpoint.id}/test`, {}, 400);
    const { data } = await call('GET', endpointsPath);
    assert.deepEqual(
      data.map((one: Record<string, unknown>) => [one.id, one.state, one.secret]),
      [[endpoint.id, 'disabled', undefined]],
    );
    assert.deepEqual(receiver.of(endpoint.path), []);
    const changed = await call('PATCH', `${endpointsPath}/${endpoint.id}`, {
      body: { state: 'enabled', events: ['transaction.success'], description: 'the shop' },
    });
    assert.deepEqual(
      [changed.data.state, changed.data.events, changed.data.description, changed.data.disabled_reason],
      ['enabled', ['transaction.success'], 'the shop', null],
    );
    assert.equal((await arrived(endpoint.path, missed)).length, 1);
  });

  it('an endpoint that answers 410 is disabled at once, with an event and an alarm', async () => {
    await using gone = await openEndpoint();
    await using other = await openEndpoint({ events: ['endpoint.disabled'] });
    receiver.answer = (response, { path }) => {
      response.statusCode = path === gone.path ? 410 : 200;
      response.end();
    };
    await buy();
    const told = await eventually('the event', async () => receiver.of(other.path)[0]);
    assert.deepEqual(
      [told.event.type, told.event.data.endpoint_id, told.event.data.reason],
      ['endpoint.disabled', gone.id, 'gone'],
    );
    const alarms = await gateway.database.query("select from alarms where kind = 'webhook'");
    assert.equal(alarms.length, 1);
    const { data } = await call('GET', endpointsPath);
    assert.equal(data.find(({ id }: Made) => id === gone.id).disabled_reason, 'gone');
    // The audit ignores acknowledged alarms.
    await gateway.database.query("update alarms set acknowledged_at = now() where kind = 'webhook'");
  });

  it('refuses a malformed URL, and one into a private network', async () => {
    const odd = ['shop', 'ftp://shop.example/x', 'https://user:secret@shop.example/', 'https://'];
    const inside = ['http://10.0.0.1/', 'https://169.254.169.254/latest/meta-data', 'https://[fd00::1]/'];
    const named = ['https://[::ffff:10.0.0.1]/', 'http://192.168.1.1', 'https://printer.local/'];
    for (const url of [...odd, ...inside, ...named, `https://shop.example/${'x'.repeat(2_000)}`]) {
      const { errors } = await call('POST', endpointsPath, { body: { url } }, 400);
      assert.deepEqual(
        errors?.map(({ field }: { field: string }) => field),
        ['url'],
        url,
      );
    }
    await call('POST', endpointsPath, { body: {} }, 422);
  });

  it('refuses unknown event types, and lists the known ones', async () => {
    const wrong = [
      [['money.found'], '"money.found"'],
      [['transaction.success', ' Order.success'], '" Order.success"'],
      [['x'.repeat(61)], undefined],
      [[7], undefined],
      ['transaction.success', undefined],
    ] as const;
    for (const [events, named] of wrong) {
      const { reason, message, errors } = await call(
        'POST',
        endpointsPath,
        { body: { url: receiver.url, events } },
        400,
      );
      assert.equal(reason, 'field_invalid');
      for (const type of eventTypes) assert.ok(message.includes(type), message);
      assert.ok(message.includes(named ?? ''), message);
      assert.deepEqual(errors, [{ field: 'events', reason, message }]);
    }
    await using made = await openEndpoint({ events: ['order.success'] });
    const path = `${endpointsPath}/${made.id}`;
    const { errors } = await call('PATCH', path, { body: { events: ['foo'] } }, 400);
    assert.equal(errors[0].field, 'events');
    assert.ok(errors[0].message.includes('"foo"'));
  });

  it('allows five endpoints, each of one merchant and environment', async () => {
    await using made = new AsyncDisposableStack();
    const all: Made[] = [];
    for (let n = 0; n < 5; n += 1) all.push(made.use(await openEndpoint()));
    const refused = await call('POST', endpointsPath, { body: { url: receiver.url } }, 400);
    assert.equal(refused.reason, 'endpoints_full');
    const id = all[0]?.id ?? '';
    const live = { as: 'live' } as const;
    assert.deepEqual((await call('GET', endpointsPath, live)).data, []);
    await call('PATCH', `${endpointsPath}/${id}`, { ...live, body: { description: 'mine' } }, 404);
    await call('DELETE', `${endpointsPath}/${id}`, live, 404);
    await call('POST', `${endpointsPath}/${id}/rotate`, { ...live, body: {} }, 404);
    await call('POST', `${endpointsPath}/${id}/test`, live, 404);
    for (const unknown of ['x', '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10']) {
      await call('DELETE', `${endpointsPath}/${unknown}`, {}, 404);
      await call('POST', `/v1/webhooks/deliveries/${unknown}/replay`, {}, 404);
    }
    const entries = await gateway.database.query<{ principal: string; edge: string }>(
      "select principal, edge from audit_log where action = 'webhook.create' and subject = $1",
      [`webhook:${id}`],
    );
    assert.deepEqual(entries, [{ principal: `credential:${gateway.credentials.test.key}`, edge: 'api' }]);
  });
});

describe('oja listen', () => {
  const { key, secret } = gateway.credentials.test;
  const settings = { OJA_SECRET: secret };

  it('oja listen forwards events to a URL, signed, and prints each', async () => {
    const { cursor } = await call('GET', '/v1/events?after=latest&wait=0');
    const reference = await buy();
    const ran = await runOja(settings, [
      ...['listen', '--url', gateway.url, '--key', key, '--forward-to', `${receiver.url}/own`],
      ...['--after', cursor, '--count', '1'],
    ]);
    assert.equal(ran.code, 0, ran.err);
    const [event] = await arrived('/own', reference);
    assert.ok(event);
    verify(event, /whsec_\S+/.exec(ran.err)?.[0] ?? '');
    assert.match(ran.out, /transaction\.success {2}evt_[0-9a-f]{32} {2}200/);
    assert.ok(!(ran.out + ran.err).includes(secret));
  });

  it('oja listen skips no event while its URL is away, and prints where to continue', async () => {
    const { cursor } = await call('GET', '/v1/events?after=latest&wait=0');
    const references = [await buy(), await buy()];
    const heard: string[] = [];
    let isAway = true;
    const server = createServer((request, response) => {
      heard.push(String(request.headers['webhook-id']));
      response.end();
    });
    // The first connection is broken before anything is read from it.
    server.on('connection', (socket) => {
      if (isAway) socket.destroy();
      isAway = false;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const listenFrom = (after: string) =>
      runOja(settings, [
        ...['listen', '--url', gateway.url, '--key', key, '--forward-to', `http://127.0.0.1:${port}/`],
        ...['--after', after, '--count', '1'],
      ]);
    try {
      const ran = await listenFrom(cursor);
      const [, after] = /--after (\S+)/.exec(ran.err) ?? [];
      assert.ok(after);
      await listenFrom(after);
      const { data } = await call('GET', `/v1/events?after=${cursor}&wait=0`);
      assert.deepEqual(
        heard,
        data.slice(0, references.length).map(({ id }: { id: string }) => id),
      );
    } finally {
      server.close();
    }
  });

  it('oja listen keeps its secret to itself', async () => {
    const asked: unknown[] = [];
    const thief = createServer((request, response) => {
      asked.push(request.headers['x-merchant-secret']);
      response.writeHead(302, { location: `${receiver.url}/thief` }).end();
    });
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    const { port } = thief.address() as AddressInfo;
    const args = ['listen', '--key', key, '--forward-to', receiver.url, '--url'];
    const led = await runOja(settings, [...args, `http://127.0.0.1:${port}/`]).finally(() => thief.close());
    assert.deepEqual([led.code, led.err === ''], [1, false]);
    assert.equal(asked.length, 1);
    assert.deepEqual(receiver.of('/thief'), []);
    const open = await runOja(settings, [...args, 'http://gateway.example/']);
    assert.deepEqual([open.code, open.err.includes('https')], [1, true]);
  });

  it('oja listen reports faults of its credential, cursor and arguments', async () => {
    const args = ['listen', '--url', gateway.url, '--forward-to', receiver.url, '--key', key];
    const without = await runOja({}, args);
    assert.deepEqual([without.code, without.err.includes('OJA_SECRET')], [1, true]);
    const wrong = await runOja({ OJA_SECRET: 'x' }, args);
    assert.deepEqual([wrong.code, wrong.err.includes('X-Merchant-Secret')], [1, true]);
    const forged = await runOja(settings, [...args, '--after', 'x']);
    assert.deepEqual([forged.code, /\bafter\b/.test(forged.err)], [1, true]);
    assert.equal((await runOja(settings, ['listen', '--key', key, '--forward-to', 'shop'])).code, 2);
    assert.equal((await runOja(settings, ['listen', '--key', key])).code, 2);
  });
});

describe('the test clock', () => {
  it('lets the test clock trigger the next attempt at once, hours before it was due', async () => {
    await using endpoint = await openEndpoint();
    let tries = 0;
    receiver.answer = (response, { path }) => {
      if (path === endpoint.path) tries += 1;
      response.writeHead(path === endpoint.path && tries < 5 ? 503 : 200).end();
    };
    const reference = await buy();
    // After 5 s, 5 min, 30 min and 2 h.
    for (let seen = 1; seen < 5; seen += 1) {
      await eventually(`try ${seen} is stored`, async () => {
        const [delivery] = await deliveriesOf(endpoint);
        return delivery?.tries === seen && delivery.next_try_at !== null ? true : undefined;
      });
      const { data } = await call('POST', '/v1/test/clock', { body: { advance_s: 3 * 3_600 } });
      assert.equal(data.moved.webhooks, 1);
      await eventually(`try ${seen + 1}`, () => (tries > seen ? true : undefined));
    }
    await eventually('it is delivered', async () => {
      const [delivery] = await deliveriesOf(endpoint);
      return delivery?.state === 'delivered' && delivery.tries === 5 ? true : undefined;
    });
    const ids = new Set((await arrived(endpoint.path, reference, 5)).map(({ event }) => event.id));
    assert.equal(ids.size, 1);
  });

  it('the test clock waits longer than the lock timeout for locked rows', async () => {
    await using endpoint = await openEndpoint();
    let moving: Promise<Answer> | undefined;
    await gateway.database.transaction(async (tx) => {
      await tx.query('select from webhook_endpoints where id = $1 for update', [endpoint.id]);
      moving = gateway.call('POST', '/v1/test/clock', { body: { advance_s: 60 } });
      const waits = new Set<string>();
      await eventually('one wait is given up, and another begins', async () => {
        const waiting = await gateway.database.query<{ since: string }>(
          `select query_start::text as since
           from pg_stat_activity
           where datname = current_database()
           and wait_event_type = 'Lock'
           and query like 'update webhook_endpoints%'`,
        );
        for (const { since } of waiting) waits.add(since);
        return waits.size > 1 ? true : undefined;
      });
    });
    const moved = await moving;
    assert.deepEqual([moved?.status, moved?.body.data?.advance_s], [200, 60]);
  });

  it('the test clock disables an endpoint that fails for five days, and no live one', async () => {
    await using endpoint = await openEndpoint();
    const { data: live } = await call('POST', endpointsPath, {
      as: 'live',
      body: { url: `${receiver.url}/live-hook` },
    });
    receiver.answer = (response) => response.writeHead(500).end();
    await buy();
    await eventually('it fails', async () => ((await deliveriesOf(endpoint)).length > 0 ? true : undefined));
    await eventually('the live one is looked after, and rests', async () => {
      const rows = await gateway.database.query(
        `select from webhook_endpoints
         where id = $1
         and due_at is null
         -- An event of an earlier test would make it due again.
         and not exists (select from events where position is null)`,
        [live.id],
      );
      return rows.length === 1 ? true : undefined;
    });
    await gateway.database.query(
      'update webhook_endpoints set failing_since = now(), failures = 1 where id = $1',
      [live.id],
    );
    const sinceOf = () =>
      gateway.database.query('select failing_since from webhook_endpoints where id = $1', [live.id]);
    const before = await sinceOf();
    await call('POST', '/v1/test/clock', { body: { advance_s: 6 * 86_400 } });
    await eventually('it is disabled', async () => {
      const { data } = await call('GET', endpointsPath);
      const found = data.find(({ id }: { id: string }) => id === endpoint.id);
      return found.state === 'disabled' && found.disabled_reason === 'failing' ? true : undefined;
    });
    await eventually('the feed tells of it', async () => {
      const { data } = await call('GET', '/v1/events?types=endpoint.disabled&wait=0');
      return data.some((event: Answer['body']) => event.data.endpoint_id === endpoint.id) ? true : undefined;
    });
    assert.deepEqual(await sinceOf(), before);
    await gateway.database.query("update alarms set acknowledged_at = now() where kind = 'webhook'");
    await call('DELETE', `${endpointsPath}/${live.id}`, { as: 'live' });
  });
});

describe('the feed', () => {
  it('the feed has the same events, after a cursor', async () => {
    await using endpoint = await openEndpoint();
    const { cursor } = await call('GET', '/v1/events?after=latest&wait=0');
    const reference = await buy();
    const [hook] = await arrived(endpoint.path, reference);
    const page = await call('GET', `/v1/events?after=${cursor}`);
    assert.deepEqual(page.data, [hook?.event]);
    assert.deepEqual([page.status, page.code, page.has_more], ['success', 200, false]);
    const next = await call('GET', `/v1/events?after=${page.cursor}&wait=0`);
    assert.deepEqual(next.data, []);
  });

  it('the feed waits for new events, up to the requested time', async () => {
    const { cursor } = await call('GET', '/v1/events?after=latest&wait=0');
    const polled = call('GET', `/v1/events?after=${cursor}&types=transaction.failed`);
    await buy();
    await buy({ msisdn: '08000000001' });
    const { data } = await polled;
    assert.deepEqual(
      data.map(({ type }: { type: string }) => type),
      ['transaction.failed'],
    );
    const startedMs = performance.now();
    const empty = await call('GET', '/v1/events?after=latest&wait=1');
    assert.deepEqual(empty.data, []);
    assert.ok(performance.now() - startedMs > 950);
  });

  it('is read from its beginning in pages', async () => {
    const types: string[] = [];
    let query = '';
    for (let more = true; more; ) {
      const page = await call('GET', `/v1/events?limit=2&wait=0${query}`);
      assert.ok(page.data.length <= 2);
      types.push(...page.data.map(({ type }: { type: string }) => type));
      query = `&after=${page.cursor}`;
      more = page.has_more;
    }
    assert.ok(types.length > 8 && types.includes('endpoint.disabled'));
  });

  it('the feed refuses a cursor that is forged or of the other environment, and an unknown type', async () => {
    const { cursor } = await call('GET', '/v1/events?after=latest&wait=0');
    for (const after of ['1', `${cursor}x`, 'x'.repeat(35)]) {
      const { errors } = await call('GET', `/v1/events?after=${after}`, {}, 400);
      assert.equal(errors[0].field, 'after');
    }
    await call('GET', `/v1/events?after=${cursor}`, { as: 'live' }, 400);
    await call('GET', '/v1/events?types=money.found', {}, 400);
    await call('GET', '/v1/events?wait=26', {}, 400);
    await call('GET', '/v1/events?limit=101', {}, 400);
  });

  it('a credential may wait four times at once', async () => {
    const { cursor } = await call('GET', '/v1/events?after=latest&wait=0');
    const waiting = Array.from({ length: 4 }, () => call('GET', `/v1/events?after=${cursor}&wait=25`));
    await eventually('all of them wait', async () => {
      const text = await (await fetch(gateway.metricsUrl)).text();
      return /^oja_event_polls 4$/m.test(text) ? true : undefined;
    });
    await call('GET', `/v1/events?after=${cursor}&wait=5`, {}, 429);
    await call('GET', `/v1/events?after=${cursor}&wait=0`);
    await buy();
    for (const { data } of await Promise.all(waiting)) assert.equal(data.length, 1);
  });

  it('answers waiting requests when the gateway stops', async () => {
    const polled = call('GET', '/v1/events?after=latest&wait=25');
    await eventually('it waits', async () => {
      const text = await (await fetch(gateway.metricsUrl)).text();
      return /^oja_event_polls 1$/m.test(text) ? true : undefined;
    });
    const stopped = gateway.stop();
    assert.deepEqual((await polled).data, []);
    assert.deepEqual(await stopped, { code: 0, signal: null });
  });
});
