/** One purchase, followed through the process that took it and the one that sent it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { it } from 'node:test';
import { emptyFolder } from '../e2e/started.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Credentials, runGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string };
type Sent = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
};

/** A collector: the text it receives, and the spans with the role of their process. */
async function startCollector(): Promise<
  AsyncDisposable & { readonly url: string; spans(): (Span & { role: string | undefined })[]; text(): string }
> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    url: `http://127.0.0.1:${address.port}`,
    text: () => bodies.join('\n'),
    spans: () =>
      bodies.flatMap((body) =>
        (JSON.parse(body) as Sent).resourceSpans.flatMap(({ resource, scopeSpans }) => {
          const role = resource.attributes.find(({ key }) => key === 'oja.role')?.value.stringValue;
          return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, role })));
        }),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it('a purchase is one trace with its id, without data of the customer', {
  timeout: 90_000,
}, async () => {
  await using collector = await startCollector();
  await using clone = await createTestDatabase();
  const folder = await emptyFolder();
  const settings = {
    DATABASE_URL: clone.connectionString,
    OJA_DATA_DIR: folder,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  };
  await using api = runGateway({ ...settings, OJA_ROLE: 'api' });
  await api.ready;
  await using worker = runGateway({
    ...settings,
    OJA_ROLE: 'worker',
    OJA_SIMULATOR_URL: 'http://127.0.0.1:9',
  });
  await worker.ready;
  const url = /listening on (http:\S+)/.exec(api.output())?.[1] ?? '';
  const { test } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Credentials;
  const order = {
    merchant: 'DEMO',
    msisdn: '08039876543',
    network: 'mtn',
    amount: '123',
    request_ref: 'follow-me',
  };
  const answer = await fetch(`${url}/v1/transactions/airtime/async`, {
    method: 'POST',
    headers: {
      'x-merchant-key': test.key,
      'x-merchant-secret': test.secret,
      'content-type': 'application/json',
    },
    body: JSON.stringify(order),
  });
  const { data } = (await answer.json()) as { data: { internal_reference: string } };
  const traceId = data.internal_reference.replaceAll('-', '');
  const own = (): ReturnType<typeof collector.spans> =>
    collector.spans().filter((span) => span.traceId === traceId);
  const named = (): string[] =>
    own()
      .map(({ name, role }) => `${role} ${name}`)
      .sort();
  const wanted = ['api accept', 'api request', 'worker resolve', 'worker purchase'];
  await until(`${wanted}`, () => wanted.every((one) => named().includes(one)));
  const root = own().find(({ name }) => name === 'request');
  assert.ok(root !== undefined && !root.parentSpanId);
  for (const span of own().filter((one) => one !== root && one.name !== 'request')) {
    assert.equal(span.parentSpanId, root.spanId, span.name);
  }
  for (const word of [order.msisdn, '9876543', order.request_ref, test.key, test.secret, '123.00']) {
    assert.ok(!collector.text().includes(word), word);
  }
  assert.deepEqual(await worker.stop(), { code: 0, signal: null });
  assert.deepEqual(await api.stop(), { code: 0, signal: null });
});
