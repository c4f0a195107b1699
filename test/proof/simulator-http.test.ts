/**
 * The simulator's HTTP: the bodies it refuses, the effect of faults on answers and connections, and
 * starts and stops under calls.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { type Answer, ask } from '../simulator/ask.ts';
import { codeOf, envFor, KEYS, newId, openBench, temporaryFolder } from '../simulator/bench.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { freePort } from '../support/processes.ts';

const AIRTIME = { serviceID: 'mtn', amount: '100.00', phone: '08031234567' };
// An id of a purchase belongs to a day.
await awayFromMidnight();

describe('a body', () => {
  it('refuses a malformed or too large body, and serves the next call of its connection', async () => {
    await using bench = await openBench();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    after(() => agent.destroy());
    const good = (): string => JSON.stringify({ ...AIRTIME, request_id: newId() });
    const bodies: readonly (readonly [string, body: string, code: string])[] = [
      ['whole', good(), '000'],
      ['torn', good().slice(0, -5), '085'],
      ['empty', '', '085'],
      ['null', 'null', '085'],
      ['a list', '[1]', '085'],
      ['of 64 KiB', good().padEnd(64 * 1024), '000'],
      ['of a byte more', good().padEnd(64 * 1024 + 1), '085'],
      ['of 5 MB', good().padEnd(5_000_000), '085'],
      ['whole again', good(), '000'],
    ];
    for (const [index, [name, body, code]] of bodies.entries()) {
      const call = { method: 'POST', headers: KEYS, body, agent };
      const answer = await ask(`${bench.url()}/vtpass/api/pay`, call);
      assert.equal(codeOf(JSON.parse(answer.text)), code, name);
      assert.equal(answer.wasReused, index > 0, name);
    }
    assert.equal((await bench.books()).length, 3);
    const torn = await ask(`${bench.url()}/faults`, { method: 'PUT', body: '{"rules":[', agent });
    assert.deepEqual([torn.status, torn.text], [400, '{"errors":["rules must be a list"]}']);
  });
});

describe('a fault', () => {
  it('changes the answer as the fault says, including headers', async () => {
    await using bench = await openBench();
    const cases = [
      ['error_5xx', 500, 'application/json', /^{"message":"Server Error"}$/],
      ['html_page', 200, 'text/html', /^<!doctype html>/],
      ['no_reply', 200, 'application/json', /^$/],
      ['broken_json', 200, 'application/json', /^{"code":"000",[^}]+$/],
      ['rate_limited', 429, 'application/json', /^{"message":"Too Many Attempts."}$/],
    ] as const;
    for (const [fault, status, type, text] of cases) {
      await bench.fault({ fault });
      const body = JSON.stringify({ ...AIRTIME, request_id: newId() });
      const answer = await ask(`${bench.url()}/vtpass/api/pay`, { method: 'POST', headers: KEYS, body });
      assert.equal(answer.status, status, fault);
      assert.match(answer.text, text);
      assert.equal(answer.headers['content-type'], type, fault);
      assert.equal(answer.headers['content-length'], String(answer.text.length), fault);
    }
  });

  it('cuts one connection without a byte, and serves the next one', async () => {
    await using bench = await openBench();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    after(() => agent.destroy());
    const pay = (): Promise<Answer> => {
      const body = JSON.stringify({ ...AIRTIME, request_id: newId() });
      return ask(`${bench.url()}/vtpass/api/pay`, { method: 'POST', headers: KEYS, body, agent });
    };
    for (const [fault, delivered] of [
      ['cut_before', 0],
      ['cut_after', 1],
    ] as const) {
      const before = (await bench.books()).length;
      assert.equal((await pay()).status, 200);
      await bench.fault({ fault, times: 1 });
      await assert.rejects(pay(), { code: 'ECONNRESET', message: 'socket hang up' });
      const next = await pay();
      assert.deepEqual([next.status, next.wasReused], [200, false]);
      assert.equal((await pay()).wasReused, true);
      assert.equal((await bench.books()).length, before + 3 + delivered, fault);
    }
  });

  it('stops while a call is held', async () => {
    await using folder = await temporaryFolder();
    const settings = readSettings({ ...envFor(folder.path), OJA_SIMULATOR_TIMEOUT_MS: '600000' });
    const simulator = await startSimulator(settings);
    const rules = [{ fault: 'timeout' }];
    await ask(`${simulator.url}/faults`, { method: 'PUT', body: JSON.stringify({ rules }) });
    const body = JSON.stringify({ ...AIRTIME, request_id: newId() });
    const held = ask(`${simulator.url}/vtpass/api/pay`, { method: 'POST', headers: KEYS, body });
    const outcome = assert.rejects(held, { code: 'ECONNRESET' });
    for (let hits = 0; hits === 0; ) {
      const shown = await ask(`${simulator.url}/faults`);
      hits = JSON.parse(shown.text).rules[0].hits;
    }
    await simulator.close();
    await outcome;
  });
});

describe('the start', () => {
  it('holds calls until the books are open', async () => {
    await using bench = await openBench();
    await bench.pay({ ...AIRTIME, request_id: newId() });
    const line = await readFile(bench.journal, 'utf8');
    await bench.stop();
    const many = Array.from({ length: 50_000 }, (_, index) =>
      line.replace(/"reference":"[^"]+"/, `"reference":"copy${index}"`),
    );
    await writeFile(bench.journal, many.join(''));
    const port = await freePort();
    const folder = join(bench.journal, '..');
    let isOpen = false;
    const starting = startSimulator(readSettings({ ...envFor(folder), OJA_SIMULATOR_PORT: String(port) }));
    const started = starting.then((simulator) => {
      isOpen = true;
      return simulator;
    });
    await untilConnected(port);
    assert.equal(isOpen, false, 'it listens before the books are open');
    const { status, text } = await ask(`http://127.0.0.1:${port}/books`);
    assert.equal(isOpen, true);
    assert.deepEqual([status, text.split('\n').length - 1], [200, many.length]);
    await (await started).close();
  });
});

async function untilConnected(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isConnected) return;
  }
}
