/** The client's behaviour: its construction, retries, refusals, and secrecy. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import {
  ConfigurationError,
  ConnectionError,
  expectSuccess,
  InsufficientFundsError,
  NotFinalError,
  NotFoundError,
  newReference,
  Oja,
  OjaError,
  type OjaOptions,
  PurchaseFailedError,
  TimeoutError,
  UnavailableError,
  UnexpectedAnswerError,
} from '../../sdk/src/index.ts';
import { version } from '../../sdk/src/version.ts';
import { created, page, refused, scripted, secret, soon, stored } from './scripted.ts';

const good: OjaOptions = { key: 'oja_test_key', secret, baseUrl: 'https://gateway.example' };

describe('a client', () => {
  it('requires a key, a secret and an address', () => {
    assert.ok(new Oja(good));
    assert.ok(new Oja({ ...good, baseUrl: 'http://127.0.0.1:8080/' }));
    assert.ok(new Oja({ ...good, baseUrl: 'http://oja.internal', allowHttp: true }));
  });

  it('reports why it refuses, without the secret', () => {
    for (const wrong of [
      { key: '' },
      { secret: `${secret}\n` },
      { secret: undefined },
      { baseUrl: 'gateway.example' },
      { baseUrl: 'ftp://gateway.example' },
      { baseUrl: 'https://a:b@gateway.example' },
      { baseUrl: 'http://gateway.example' },
      { timeoutMs: 0 },
      { maxRetries: 1.5 },
    ]) {
      const [name = ''] = Object.keys(wrong);
      assert.throws(
        () => new Oja({ ...good, ...wrong } as OjaOptions),
        (error) => {
          assert.ok(error instanceof ConfigurationError);
          assert.ok(error.message.includes(name), error.message);
          assert.ok(!inspect(error).includes(secret));
          return true;
        },
      );
    }
  });

  it('shows its secret nowhere', async () => {
    const echo = refused(400, {
      message: `you sent ${secret}`,
      errors: [{ field: secret, message: secret }],
    });
    const { oja } = scripted([echo]);
    const error = await oja.wallet.balance().catch((caught: unknown) => caught);
    const all = [
      inspect(oja, { depth: 9, showHidden: true }),
      JSON.stringify(oja),
      inspect(error, { depth: 9 }),
    ];
    for (const text of all) assert.ok(!text.includes(secret), text);
    assert.match(all[2] ?? '', /\[secret\]/);
  });

  it('does not run in a browser, and states why', async () => {
    const world = globalThis as unknown as Record<string, unknown>;
    const versions = Object.getOwnPropertyDescriptor(process, 'versions');
    assert.ok(versions);
    Object.defineProperty(process, 'versions', { ...versions, value: {} });
    world.document = {};
    try {
      assert.throws(
        () => new Oja(good),
        /does not run in browsers: whoever opens the page would have your secret/,
      );
    } finally {
      Object.defineProperty(process, 'versions', versions);
      delete world.document;
    }
    assert.ok(new Oja(good));
  });

  it('has the version of its package', () => {
    const manifest = readFileSync(new URL('../../sdk/package.json', import.meta.url), 'utf8');
    assert.equal(JSON.parse(manifest).version, version);
  });

  it('makes references that are sorted by time and never the same', () => {
    const references = Array.from({ length: 1_000 }, () => newReference());
    assert.equal(new Set(references).size, 1_000);
    assert.equal(newReference(1_795_341_910_123).slice(0, 13), '01a202b7-806b');
    assert.ok(newReference(1_000) < newReference(2_000) && newReference(2 ** 32) < newReference(2 ** 40));
  });
});

describe('a look-up', { concurrency: true }, () => {
  it('repeats a lookup after a temporary failure', async () => {
    const { oja, assertDone } = scripted(['cut', page(502), refused(503, {}, soon), stored('one')]);
    assert.equal((await oja.purchases.status('one')).state, 'success');
    assertDone();
  });

  it('does not repeat it after a permanent one, nor too often', async () => {
    await assert.rejects(scripted([refused(404)]).oja.purchases.status('one'), NotFoundError);
    await assert.rejects(scripted([page(404)]).oja.purchases.status('one'), UnexpectedAnswerError);
    const none = { maxRetries: 0 };
    await assert.rejects(scripted(['cut']).oja.purchases.status('one', none), ConnectionError);
    await assert.rejects(scripted([refused(500)]).oja.purchases.status('one', none), UnavailableError);
  });

  it('names the subject of an error', async () => {
    const { oja } = scripted([refused(404, {}, { 'x-request-id': 'req-7' })]);
    await assert.rejects(oja.purchases.status('one'), { code: 'not_found', status: 404, requestId: 'req-7' });
  });

  it('goes through the pages of a list', async () => {
    const rows = (ids: string[], next_cursor: string | null): Response =>
      Response.json({
        state: 'ok',
        result: { items: ids.map((request_id) => ({ request_id })), page_info: { next_cursor } },
      });
    const { oja, asked } = scripted([rows(['a', 'b'], 'next'), rows([], 'last'), rows(['c'], null)]);
    const found: string[] = [];
    for await (const { request_id } of oja.purchases.list({ page: 1, status: '02' })) found.push(request_id);
    assert.deepEqual(found, ['a', 'b', 'c']);
    assert.deepEqual(
      asked.map(({ path }) => path),
      ['page=1', 'cursor=next', 'cursor=last'].map((place) => `/v1/transactions?status=02&${place}`),
    );
    const first = await scripted([rows(['a'], 'next')]).oja.purchases.list();
    assert.equal(first.result.page_info.next_cursor, 'next');
    const broken = scripted([rows(['a'], 'next'), refused(403)]).oja.purchases.list();
    await assert.rejects(Array.fromAsync(broken), { status: 403, reason: 'merchant_suspended' });
  });

  it('follows the feed from page to page', async () => {
    const events = (ids: string[], cursor: string): Response =>
      Response.json({
        status: 'success',
        code: 200,
        message: '',
        data: ids.map((id) => ({ id })),
        cursor,
        has_more: false,
      });
    const { asked, fetch } = scripted([
      events(['a'], '1'),
      'cut',
      page(502),
      events([], '2'),
      events(['b', 'c'], '3'),
    ]);
    const oja = new Oja({ ...good, maxRetries: 0, fetch });
    const cursors: string[] = [];
    for await (const { cursor } of oja.events.follow({
      after: '0',
      types: ['wallet.low', 'deposit.credited'],
    })) {
      cursors.push(cursor);
      if (cursor === '3') break;
    }
    assert.deepEqual(cursors, ['1', '3']);
    assert.deepEqual(
      asked.map(({ path }) => new URL(path, 'http://x').searchParams.get('after')),
      ['0', '1', '1', '1', '2'],
    );
    assert.match(asked[0]?.path ?? '', /types=wallet\.low%2Cdeposit\.credited/);
  });

  it('waits until a purchase is final, and no longer than it may', async () => {
    const { oja } = scripted([stored('one', 'pending'), stored('one', 'failed')]);
    assert.equal((await oja.purchases.waitUntilFinal('one')).state, 'failed');
    const slow = scripted([stored('one', 'pending'), stored('one', 'pending')]);
    await assert.rejects(slow.oja.purchases.waitUntilFinal('one', { timeoutMs: 20 }), (error) => {
      assert.ok(error instanceof NotFinalError);
      assert.equal(error.reference, 'one');
      return true;
    });
    const away = scripted(['cut', refused(503, {}, { 'retry-after': '3600' }), stored('one', 'success')]);
    const { purchases } = new Oja({ ...good, maxRetries: 0, fetch: away.fetch });
    assert.equal((await purchases.waitUntilFinal('one')).state, 'success');
    await assert.rejects(scripted([refused(404)]).oja.purchases.waitUntilFinal('one'), NotFoundError);
    const ended = scripted([stored('one', 'pending')]).oja.purchases;
    const signal = AbortSignal.timeout(30);
    await assert.rejects(ended.waitUntilFinal('one', { signal }), { name: 'TimeoutError' });
  });

  it('waits no longer for a gateway that does not answer', async () => {
    let asked = 0;
    const silent = new Oja({
      ...good,
      fetch: (_, { signal }) => {
        asked += 1;
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    await assert.rejects(silent.purchases.waitUntilFinal('one', { timeoutMs: 100 }), (error) => {
      assert.ok(error instanceof NotFinalError && error.cause instanceof TimeoutError);
      return true;
    });
    assert.equal(asked, 1);
  });
});

describe('an act', { concurrency: true }, () => {
  it('repeats a write only if the gateway reports that nothing was done', async () => {
    const done = Response.json({ status: 'success', code: 200, message: '', data: { id: 'e' } });
    const again = scripted([refused(503, {}, soon), done]);
    await again.oja.endpoints.create({ url: 'https://shop.example' });
    again.assertDone();
    await assert.rejects(scripted(['cut']).oja.endpoints.rotate('e'), ConnectionError);
    await assert.rejects(scripted([page(502)]).oja.endpoints.test('e'), UnexpectedAnswerError);
    await assert.rejects(scripted([refused(502)]).oja.endpoints.test('e'), UnavailableError);
    await assert.rejects(scripted([refused(500)]).oja.test.createDeposit({ amount: '1' }), UnavailableError);
  });
});

describe('an outcome', () => {
  it('returns an outcome, and throws only on request', async () => {
    const success = await scripted([created('one')]).oja.purchases.create({
      product: 'airtime',
      msisdn: '08031234567',
      network: 'mtn',
      amount: '100',
      request_ref: 'one',
    });
    assert.equal(expectSuccess(success), success);
    const pending = await scripted([stored('one', 'pending')]).oja.purchases.status('one');
    assert.throws(() => expectSuccess(pending), NotFinalError);
    const failed = { ...success, status: 'failed', response_code: '01' } as const;
    assert.throws(() => expectSuccess(failed), PurchaseFailedError);
    const data = { ...success.data, reason: 'insufficient_funds' } as const;
    const unpaid = { ...failed, response_message: 'told', data };
    assert.throws(() => expectSuccess(unpaid), InsufficientFundsError);
    assert.throws(() => expectSuccess(unpaid), { code: 'insufficient_funds', reason: 'insufficient_funds' });
    assert.throws(
      () => expectSuccess(failed),
      (error) => !(error instanceof InsufficientFundsError),
    );
  });
});

describe('a bad server', { concurrency: true }, () => {
  async function serve(listener: RequestListener): Promise<{ oja: Oja; server: Server } & AsyncDisposable> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      oja: new Oja({ ...good, baseUrl, timeoutMs: 20_000, maxRetries: 0 }),
      server,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  it('reads no more than five megabytes of an answer', async () => {
    await using bad = await serve((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(`{"a":"${'a'.repeat(10 * 1024 * 1024)}"}`);
    });
    await assert.rejects(bad.oja.wallet.balance(), UnexpectedAnswerError);
  });

  it('reads no more than five megabytes of a compressed answer', async () => {
    const bomb = gzipSync(`{"a":"${'a'.repeat(10 * 1024 * 1024)}"}`);
    await using bad = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    });
    await assert.rejects(bad.oja.wallet.balance(), UnexpectedAnswerError);
  });

  it('waits for an endless answer no longer than the timeout', async () => {
    await using bad = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"a":');
    });
    await assert.rejects(bad.oja.wallet.balance({}, { timeoutMs: 200 }), TimeoutError);
  });

  it('does not follow a redirect', async () => {
    let followed = 0;
    await using other = await serve((_, response) => {
      followed += 1;
      response.end('{}');
    });
    const { port } = other.server.address() as AddressInfo;
    await using bad = await serve((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
    });
    await assert.rejects(bad.oja.wallet.balance(), { code: 'unexpected_answer', status: 302 });
    assert.equal(followed, 0);
  });

  it('names a proxy as one, and does not repeat its page', async () => {
    await using bad = await serve((request, response) => {
      response.writeHead(403, { 'content-type': 'text/html' }).end(JSON.stringify(request.headers));
    });
    await assert.rejects(bad.oja.wallet.balance(), (error) => {
      assert.ok(error instanceof UnexpectedAnswerError);
      assert.equal(error.status, 403);
      assert.ok(error.message.includes('text/html'));
      assert.ok(!inspect(error, { depth: 9 }).includes(secret));
      return true;
    });
  });

  it('reports an unreachable server as a connection error', async () => {
    const gone = await serve(() => undefined);
    await gone[Symbol.asyncDispose]();
    await assert.rejects(gone.oja.wallet.balance(), (error) => {
      assert.ok(error instanceof OjaError && error instanceof ConnectionError);
      assert.ok(!inspect(error, { depth: 9 }).includes(secret));
      return true;
    });
  });
});
