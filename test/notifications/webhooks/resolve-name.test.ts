/** Names of endpoints, resolved by a name server of the test. */
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { nameResolver, type Resolve } from '../../../src/notifications/webhooks/resolve-name.ts';

const QUERY_MS = 5_000;
const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;

const four = { address: '192.0.2.1', family: 4 };
const six = { address: '2001:db8::1', family: 6 };
const bytesOfFour = Buffer.from([192, 0, 2, 1]);
const bytesOfSix = Buffer.from('20010db8000000000000000000000001', 'hex');
const zone: Readonly<Record<string, Readonly<Record<number, Buffer>>>> = {
  'both.example': { [A]: bytesOfFour, [AAAA]: bytesOfSix },
  'six.example': { [AAAA]: bytesOfSix },
};

let server: Socket;
let servers: string[];

/** Knows the zone, and never answers of a name that begins with `silent`. */
before(async () => {
  server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    const end = question.indexOf(0, 12);
    const name = readName(question.subarray(12, end));
    const type = question.readUInt16BE(end + 1);
    if (name.startsWith('silent.')) return;
    const known = zone[name];
    const code = known === undefined ? NXDOMAIN : 0;
    server.send(answerTo(question.subarray(0, end + 5), type, known?.[type], code), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
});
after(() => server.close());

function readName(labels: Buffer): string {
  const words: string[] = [];
  for (let at = 0; at < labels.length; at += 1 + (labels[at] ?? 0)) {
    words.push(labels.toString('latin1', at + 1, at + 1 + (labels[at] ?? 0)));
  }
  return words.join('.').toLowerCase();
}

/** With the question itself, like every answer, and at most one address. */
function answerTo(asked: Buffer, type: number, data: Buffer | undefined, code: number): Buffer {
  const head = Buffer.from(asked);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(data === undefined ? 0 : 1, 6);
  // Repeats only the question, without its extension.
  head.writeUInt16BE(0, 10);
  if (data === undefined) return head;
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, record, data]);
}

type Found = { readonly code: string | undefined; readonly addresses: readonly LookupAddress[] };

function find(resolve: Resolve, name: string, options: LookupOptions = {}): Promise<Found> {
  return new Promise((done) => {
    resolve(name, { ...options, all: true }, (error, addresses) => done({ code: error?.code, addresses }));
  });
}

const noLocal: Resolve = (_name, _options, done) =>
  done(Object.assign(new Error('not in the hosts file'), { code: 'ENOTFOUND' }), []);

describe('the name of an endpoint', () => {
  it('queries the name servers for both kinds of addresses, or for the requested kind', async () => {
    const resolve = nameResolver({ queryMs: QUERY_MS, servers, lookupLocal: noLocal });
    assert.deepEqual((await find(resolve, 'both.example')).addresses, [four, six]);
    assert.deepEqual((await find(resolve, 'both.example', { family: 4 })).addresses, [four]);
    assert.deepEqual((await find(resolve, 'both.example', { family: 6 })).addresses, [six]);
    assert.deepEqual((await find(resolve, 'six.example')).addresses, [six]);
    assert.deepEqual(await find(resolve, 'nobody.example'), { code: 'ENOTFOUND', addresses: [] });
  });

  it('fails soon when no server answers, for any number of names, and blocks no thread', async () => {
    let looked = 0;
    const lookupLocal: Resolve = (...call) => {
      looked += 1;
      noLocal(...call);
    };
    const brief = nameResolver({ queryMs: 100, servers, lookupLocal });
    const all = Promise.all(Array.from({ length: 200 }, () => find(brief, 'silent.example')));
    // Another one is answered meanwhile.
    const other = nameResolver({ queryMs: QUERY_MS, servers, lookupLocal });
    assert.equal((await find(other, 'both.example')).addresses.length, 2);
    for (const { code, addresses } of await all) assert.deepEqual([code, addresses], ['EAI_AGAIN', []]);
    assert.equal(looked, 0);
  });

  it('resolves names of the machine without a server, and every name locally when there is no server', async () => {
    const asked: string[] = [];
    const lookupLocal: Resolve = (name, _options, done) => {
      asked.push(name);
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    // No server listens there.
    const resolve = nameResolver({ queryMs: QUERY_MS, servers: ['127.0.0.1:9'], lookupLocal });
    for (const name of ['localhost', 'shop.localhost', 'receiver.test']) {
      const { code, addresses } = await find(resolve, name);
      assert.deepEqual([code, addresses.length], [undefined, 1], name);
    }
    assert.deepEqual(asked, ['localhost', 'shop.localhost', 'receiver.test']);
    const strict = nameResolver({ queryMs: QUERY_MS, servers, lookupLocal });
    assert.equal((await find(strict, 'silent.localhost')).addresses.length, 1);
    assert.equal((await find(strict, 'bad..name')).code, 'EAI_AGAIN');
    assert.deepEqual(asked.slice(3), ['silent.localhost']);
  });

  it('looks up a name that no server knows locally, one name at a time', async () => {
    const asked: string[] = [];
    const waiting: (() => void)[] = [];
    const lookupLocal: Resolve = (name, _options, done) => {
      asked.push(name);
      waiting.push(() => done(null, [{ address: '127.0.0.1', family: 4 }]));
    };
    const resolve = nameResolver({ queryMs: QUERY_MS, servers, lookupLocal });
    const untilAsked = async (): Promise<void> => {
      while (waiting.length === 0) await new Promise((tick) => setImmediate(tick));
    };
    const first = find(resolve, 'receiver');
    await untilAsked();
    const again = find(resolve, 'receiver');
    assert.deepEqual(await find(resolve, 'other'), { code: 'ENOTFOUND', addresses: [] });
    // The earlier look-up ends before this one, whichever answer arrived first.
    await find(resolve, 'other');
    waiting.shift()?.();
    for (const { addresses } of await Promise.all([first, again])) {
      assert.deepEqual(addresses, [{ address: '127.0.0.1', family: 4 }]);
    }
    const third = find(resolve, 'other');
    await untilAsked();
    waiting.shift()?.();
    assert.equal((await third).addresses.length, 1);
    assert.deepEqual(asked, ['receiver', 'other']);
  });
});
