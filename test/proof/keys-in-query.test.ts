/**
 * ClubKonnect's key is in the query string of each call, and its purchases are GETs. Neither the
 * key nor the user id reaches a log line, a metric, a trace, an answer or the database. A purchase
 * is called once, whatever happens to the connection.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { request as call } from 'undici';
import { spawnOja } from '../cli/harness.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  eventually,
  openGatewayUnderTest,
  statusOf,
} from '../e2e/gateway-under-test.ts';
import { createTestDatabase } from '../support/database.ts';

const KEY = 'aKey/of+ClubKonnect&its own=1';
const USER = 'CK76543210';

/** How often each order was bought, by our id; and the calls of any kind to other paths. */
const bought = new Map<string, number>();
let redirected = 0;

/** The last digit of the number decides the provider's answer. Each answer quotes the call. */
const upstream = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://upstream');
  const quoted = `${request.url} ${KEY} ${encodeURIComponent(KEY)}`;
  if (url.pathname.startsWith('/elsewhere')) {
    redirected += 1;
    return void response.end('{}');
  }
  if (url.pathname !== '/APIAirtimeV1.asp') {
    response.end(
      JSON.stringify({ statuscode: quoted, status: KEY, remark: quoted, balance: quoted, orderid: KEY }),
    );
    return;
  }
  assert.equal(url.searchParams.get('APIKey'), KEY);
  const reference = url.searchParams.get('RequestID') ?? '';
  bought.set(reference, (bought.get(reference) ?? 0) + 1);
  switch (url.searchParams.get('MobileNumber')?.at(-1)) {
    case '1':
      return void request.socket.destroy();
    case '2':
      response.writeHead(301, { location: `/elsewhere${request.url}` });
      return void response.end(
        JSON.stringify({ statuscode: '200', status: 'ORDER_COMPLETED', remark: quoted }),
      );
    case '3':
      response.writeHead(307, { location: `/elsewhere${request.url}` });
      return void response.end(`<a href="${quoted}">moved</a>`);
    case '4':
      response.statusCode = 500;
      return void response.end(JSON.stringify({ status: quoted, remark: quoted }));
    case '5':
      return void response.end(
        JSON.stringify({ status: KEY.toUpperCase(), orderid: quoted, remark: quoted }),
      );
    case '6':
      // The start of an answer, after which the connection ends.
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"statuscode":"200",');
      return void setTimeout(() => request.socket.destroy(), 50);
    case '7':
      return void response.end(
        JSON.stringify({ statuscode: '516', status: 'ORDER_CANCELLED', orderid: KEY, remark: quoted }),
      );
    default:
      return void response.end(
        JSON.stringify({ statuscode: '200', status: 'ORDER_COMPLETED', orderid: USER, remark: quoted }),
      );
  }
}).listen(0, '127.0.0.1');
await once(upstream, 'listening');

const traces: Buffer[] = [];
const collector = createServer((request, response) => {
  void buffer(request).then((body) => {
    traces.push(body);
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
}).listen(0, '127.0.0.1');
await once(collector, 'listening');

const addressOf = (server: typeof upstream): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const clone = await createTestDatabase();
const settings = {
  DATABASE_URL: clone.connectionString,
  OJA_CLUBKONNECT_BASE_URL: addressOf(upstream),
  OJA_CLUBKONNECT_USER_ID: USER,
  OJA_CLUBKONNECT_API_KEY: KEY,
};
await spawnOja(settings, ['route', 'set', 'live', 'airtime', 'MTN', 'clubkonnect']);
const gateway = await openGatewayUnderTest({
  databaseUrl: clone.connectionString,
  settings: { ...settings, OJA_LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT: addressOf(collector) },
});
after(async () => {
  for (const server of [upstream, collector]) {
    server.close();
    server.closeAllConnections();
  }
  await clone[Symbol.asyncDispose]();
});

/** The forms in which a text may be written. */
const forms = [KEY, KEY.toUpperCase(), USER].flatMap((text) => [
  text,
  encodeURIComponent(text),
  new URLSearchParams({ '': text }).toString().slice(1),
  JSON.stringify(text).slice(1, -1),
]);

function assertClean(text: string, where: string): void {
  for (const form of forms) {
    const at = text.indexOf(form);
    assert.equal(at, -1, `${where}: ${text.slice(Math.max(0, at - 200), at + 50)}`);
  }
}

describe('a key in the query string', () => {
  it('the check finds a key in a text', () => {
    assert.throws(() => assertClean(`GET /x?APIKey=${encodeURIComponent(KEY)}`, 'a line'));
  });

  it('buys once on any connection, and neither stores nor shows a key', async () => {
    const shown: string[] = [];
    const orders = Array.from({ length: 8 }, (_, digit) => airtime({ msisdn: `0803100000${digit}` }));
    for (const body of orders) {
      shown.push((await gateway.call('POST', airtimeAsync, { as: 'live', body })).text);
    }
    const synchronous = airtime({ msisdn: '08031000008' });
    shown.push((await gateway.call('POST', airtimeSync, { as: 'live', body: synchronous })).text);
    await eventually('each is bought', async () => (bought.size === orders.length + 1 ? true : undefined));
    // Unknown orders are queried, and stay unknown.
    await eventually('unknown orders are queried', async () => {
      const rows = await gateway.database.query(
        "select purchase_id from provider_answers where kind = 'unknown' group by purchase_id having count(*) > 1",
      );
      return rows.length >= 6 ? true : undefined;
    });
    for (const { request_ref } of [...orders, synchronous]) {
      const status = await statusOf(gateway, String(request_ref), 'live');
      shown.push(status.text);
      const id = status.body.data?.internal_reference;
      const told = await spawnOja(settings, ['purchase', 'show', String(id)]);
      shown.push(told.out, told.err);
    }
    for (const [reference, times] of bought) assert.equal(times, 1, reference);
    assert.equal(redirected, 0);
    shown.push((await spawnOja(settings, ['provider', 'show', 'clubkonnect', '--json'])).out);
    for (const command of ['test', 'success']) {
      const args = ['provider', command, ...(command === 'test' ? ['clubkonnect'] : ['--by', 'route'])];
      const told = await spawnOja(settings, args);
      shown.push(told.out, told.err);
    }
    shown.push(await (await call(gateway.metricsUrl)).body.text());
    shown.forEach((text) => {
      assertClean(text, 'an answer');
    });
  });

  it('stores no key in the database', async () => {
    const tables = await gateway.database.query<{ name: string }>(
      "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'",
    );
    assert.ok(tables.length > 20);
    let rows = 0;
    for (const { name } of tables) {
      for (const { row } of await gateway.database.query<{ row: string }>(
        `select t::text as row from ${name} t`,
      )) {
        rows += 1;
        assertClean(row, name);
      }
    }
    assert.ok(rows > 100);
  });

  it('writes no key to the log or to a trace', async () => {
    await eventually('there are traces', async () => (traces.length > 0 ? true : undefined));
    assert.ok(gateway.output().length > 1_000);
    assertClean(gateway.output(), 'the log');
    // The exporter may compress its JSON, and the check above would then find nothing.
    const text = Buffer.concat(traces).toString('utf8');
    assert.ok(text.includes('oja.purchase'));
    assertClean(text, 'a trace');
  });
});
