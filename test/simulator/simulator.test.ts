/**
 * The simulator is the reference in every comparison, so its books must stay right in any failure.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { codeOf, eventually, KEYS, newId, openBench, statusOf } from './bench.ts';

const MTN = { serviceID: 'mtn', amount: '100.00', phone: '08031234567' };

// An id of a purchase is of a day.
await awayFromMidnight();

describe('the books', () => {
  it('list every delivery, once, with its goods', async () => {
    await using bench = await openBench();
    const [airtime, data] = [newId(), newId()];
    const plan = { serviceID: 'mtn-data', variation_code: 'mtn-110mb-100', billersCode: '08031234568' };
    assert.equal(codeOf(await bench.pay({ ...MTN, request_id: airtime })), '000');
    assert.equal(codeOf(await bench.pay({ ...MTN, ...plan, request_id: data, amount: '7.00' })), '000');
    assert.deepEqual(
      (await bench.books()).map(({ delivered_at, ...rest }) => rest),
      [
        {
          provider: 'vtpass',
          reference: airtime,
          product: 'airtime',
          recipient: '08031234567',
          amount: '100.00',
        },
        { provider: 'vtpass', reference: data, product: 'data', recipient: '08031234568', amount: '100.00' },
      ],
    );
  });

  it('accept a reference once, under concurrent requests', async () => {
    await using bench = await openBench();
    const request_id = newId();
    const replies = await Promise.all(Array.from({ length: 50 }, () => bench.pay({ ...MTN, request_id })));
    assert.equal(replies.filter((reply) => codeOf(reply) === '000').length, 1);
    assert.equal(replies.filter((reply) => codeOf(reply) === '014').length, 49);
    assert.equal((await bench.books()).length, 1);
  });

  it('return after a restart, with the float and the pending orders', async () => {
    await using bench = await openBench({ OJA_SIMULATOR_BALANCE: '300' });
    const [done, pending] = [newId(), newId()];
    await bench.pay({ ...MTN, request_id: done });
    await bench.fault({ fault: 'pending_then_success', settle_ms: 5_000 });
    assert.equal(codeOf(await bench.pay({ ...MTN, request_id: pending })), '099');
    await bench.restart();
    assert.equal(await bench.balance(), 300 - 2 * 97);
    assert.equal((await bench.books()).length, 1);
    await eventually(async () => (await bench.books()).length === 2);
    assert.equal(codeOf(await bench.requery(pending)), '000');
    assert.equal(codeOf(await bench.pay({ ...MTN, request_id: done })), '014');
    await bench.restart();
    assert.equal((await bench.books()).length, 2);
    assert.equal(await bench.balance(), 300 - 2 * 97);
  });

  it('lose a torn last line, which was never acknowledged, and nothing else', async () => {
    await using bench = await openBench();
    const [first, second] = [newId(), newId()];
    await bench.pay({ ...MTN, request_id: first });
    await bench.stop();
    await appendFile(bench.journal, '{"provider":"vtpass","reference":"torn","product":"air');
    await bench.restart();
    await bench.pay({ ...MTN, request_id: second });
    await bench.restart();
    const references = (await bench.books()).map((delivery) => delivery.reference);
    assert.deepEqual(references, [first, second]);
  });

  it('refuse damage elsewhere', async () => {
    await using bench = await openBench();
    await bench.pay({ ...MTN, request_id: newId() });
    await bench.stop();
    await writeFile(bench.journal, `{"broken\n${await readFile(bench.journal, 'utf8')}`);
    await assert.rejects(bench.restart(), /\b1\b.*\bJSON\b/);
    await writeFile(bench.journal, '');
    await bench.restart();
  });
});

describe('VTpass’s rules', () => {
  it('refuses what VTpass refuses, with its codes, and delivers none of it', async () => {
    await using bench = await openBench({ OJA_SIMULATOR_BALANCE: '1000' });
    const refusals: readonly (readonly [string, Record<string, unknown>])[] = [
      ['085', { request_id: 'short' }],
      ['085', { request_id: '199901010000abcd' }],
      ['085', { request_id: `${newId().slice(0, 8)}9999abcd` }],
      ['085', { request_id: `${newId()}-` }],
      ['085', { request_id: 5 }],
      ['012', { serviceID: 'nothing' }],
      ['011', { phone: '12345' }],
      ['011', { amount: 'much' }],
      ['011', { amount: '1.005' }],
      ['013', { amount: '1' }],
      ['017', { amount: '2000000' }],
      ['018', { amount: '5000' }],
      ['010', { serviceID: 'mtn-data', billersCode: '08031234567', variation_code: 'nothing' }],
    ];
    for (const [code, fields] of refusals) {
      const reply = await bench.pay({ ...MTN, request_id: newId(), ...fields });
      assert.equal(codeOf(reply), code, JSON.stringify(fields));
    }
    assert.equal(codeOf(await bench.requery(newId())), '015');
    assert.equal((await bench.books()).length, 0);
  });

  it('refuses wrong keys', async () => {
    await using bench = await openBench();
    for (const headers of [{}, { 'api-key': 'simulator-api-key' }, { ...KEYS, 'secret-key': 'other' }]) {
      const response = await fetch(`${bench.url()}/vtpass/api/pay`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...MTN, request_id: newId() }),
      });
      assert.equal(codeOf(await response.json()), '087');
    }
  });

  it('refuses near duplicates only when that rule is on', async () => {
    for (const [setting, code] of [
      ['on', '019'],
      ['off', '000'],
    ] as const) {
      await using bench = await openBench({ OJA_SIMULATOR_NEAR_DUPLICATES: setting });
      assert.equal(codeOf(await bench.pay({ ...MTN, request_id: newId() })), '000');
      assert.equal(codeOf(await bench.pay({ ...MTN, request_id: newId() })), code);
      assert.equal(codeOf(await bench.pay({ ...MTN, request_id: newId(), serviceID: 'glo' })), '000');
      assert.equal(codeOf(await bench.pay({ ...MTN, request_id: newId(), phone: '08031234568' })), '000');
    }
  });

  it('misbehaves for the magic numbers as documented', async () => {
    await using bench = await openBench({ OJA_SIMULATOR_TIMEOUT_MS: '50' });
    const pay = async (phone: string): Promise<[string, unknown]> => {
      const request_id = newId();
      const reply = await bench.pay({ ...MTN, request_id, phone }).catch((error: Error) => error.name);
      return [request_id, reply];
    };
    const [pending, pendingReply] = await pay('201000000000');
    assert.equal(codeOf(pendingReply), '099');
    assert.equal(statusOf(await bench.requery(pending)), 'pending');
    const [, odd] = await pay('500000000000');
    assert.equal(codeOf(odd), '999');
    const [, empty] = await pay('400000000000');
    assert.equal(empty, 'SyntaxError');
    const [, timeout] = await pay('300000000000');
    assert.equal(timeout, 'TypeError');
  });
});

describe('faults', () => {
  it('apply to the same calls under the same seed, and to the requested share', async () => {
    await using bench = await openBench();
    const run = async (seed: number): Promise<string> => {
      await bench.putFaults({ seed, rules: [{ fault: 'no_access', share: 0.3 }] });
      let hits = '';
      for (let calls = 0; calls < 100; calls += 1) {
        hits += codeOf(await bench.pay({ ...MTN, request_id: newId() })) === '028' ? 'x' : '.';
      }
      return hits;
    };
    const [one, again, other] = [await run(7), await run(7), await run(8)];
    assert.equal(one, again);
    assert.notEqual(one, other);
    const count = one.replaceAll('.', '').length;
    assert.ok(count > 15 && count < 45, `${count} of 100`);
  });

  it('apply to a recipient and a number of calls, are counted, and can be removed', async () => {
    await using bench = await openBench();
    await bench.putFaults({ seed: 1, rules: [{ fault: 'no_access', times: 2, recipient: '2348031234567' }] });
    const codes: string[] = [];
    for (const phone of ['08031234568', '08031234567', '08031234567', '08031234567']) {
      codes.push(codeOf(await bench.pay({ ...MTN, request_id: newId(), phone })));
    }
    assert.deepEqual(codes, ['000', '028', '028', '000']);
    const shown = await (await fetch(`${bench.url()}/faults`)).json();
    assert.equal((shown as { rules: { hits: number }[] }).rules[0]?.hits, 2);
    await bench.fault({ fault: 'no_access' });
    await fetch(`${bench.url()}/faults`, { method: 'DELETE' });
    assert.equal(codeOf(await bench.pay({ ...MTN, request_id: newId() })), '000');
  });

  it('are refused with each reason if invalid, and change nothing', async () => {
    await using bench = await openBench();
    await bench.fault({ fault: 'no_access' });
    for (const [body, reason] of [
      [{}, /\brules\b/],
      [{ rules: [], seed: 'x' }, /\bseed\b/],
      [{ rules: [{ fault: 'nothing' }] }, /\brules\[0\]\.fault\b/],
      [{ rules: [{ fault: 'slow', share: 2 }] }, /\bshare\b/],
      [{ rules: [{ fault: 'slow', delay_ms: -1 }] }, /\bdelay_ms\b/],
      [{ rules: [{ fault: 'slow', dealy_ms: 1 }] }, /\bdealy_ms\b/],
      [
        { rules: [{ fault: 'refused', operation: 'requery' }] },
        /\brefused\b.*\bpay, verify, token, message\b/,
      ],
      [{ rules: [{ fault: 'slow', operation: 'sell' }] }, /\boperation\b/],
      [{ rules: [{ fault: 'slow', provider: 'nobody' }] }, /\bprovider\b/],
      [{ rules: ['slow'] }, /\brules\[0\]/],
    ] as const) {
      const response = await bench.putFaults(body);
      assert.equal(response.status, 400);
      assert.match(await response.text(), reason);
    }
    assert.equal(codeOf(await bench.pay({ ...MTN, request_id: newId() })), '028');
  });
});

describe('a recipient that is released', () => {
  it('releases held calls, settles orders, and holds nothing later', async () => {
    await using bench = await openBench();
    const release = (recipient: string): Promise<Response> =>
      fetch(`${bench.url()}/faults/release`, { method: 'POST', body: JSON.stringify({ recipient }) });
    await bench.fault({ fault: 'pending_then_success', settle_ms: 600_000, hold: true });
    const [held, settled] = [newId(), newId()];
    let answered = false;
    const paying = bench.pay({ ...MTN, request_id: held }).then((reply) => {
      answered = true;
      return reply;
    });
    await eventually(async () => {
      const { held: calls } = (await (await fetch(`${bench.url()}/faults`)).json()) as { held: object };
      return Object.values(calls)[0] === 1;
    });
    assert.equal(answered, false);
    await release('08099999999');
    assert.equal(answered, false, 'another recipient');
    await release(MTN.phone);
    assert.equal(statusOf(await paying), 'pending');
    assert.equal(statusOf(await bench.pay({ ...MTN, request_id: settled })), 'pending');
    assert.equal(statusOf(await bench.requery(settled)), 'pending');
    await release(MTN.phone);
    for (const id of [held, settled]) assert.equal(statusOf(await bench.requery(id)), 'delivered');
    assert.equal((await bench.books()).length, 2);
    assert.equal((await bench.putFaults({ rules: [{ fault: 'slow', hold: 'yes' }] })).status, 400);
    assert.equal((await fetch(`${bench.url()}/faults/release`, { method: 'POST', body: '{}' })).status, 400);
  });
});

describe('a simulator that is closed', () => {
  it('a held answer keeps no closed process alive', async () => {
    await using bench = await openBench();
    const before = timersAlive();
    await bench.fault({ fault: 'slow', delay_ms: 60_000 });
    const asked = bench.pay({ ...MTN, request_id: newId() }).catch(() => 'cut');
    await eventually(async () => (await hits(bench.url())) === 1);
    await bench.stop();
    assert.equal(await asked, 'cut');
    assert.equal(timersAlive(), before);
  });
});

function timersAlive(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}

/** How often the first rule struck. */
async function hits(url: string): Promise<number | undefined> {
  const { rules } = (await (await fetch(`${url}/faults`)).json()) as { rules: { hits: number }[] };
  return rules[0]?.hits;
}

describe('callbacks', () => {
  it('report orders that were pending, as often as requested, until they are accepted', async () => {
    const received: Record<string, unknown>[] = [];
    let refusals = 1;
    const receiver = createServer(async (request, response) => {
      received.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
      refusals -= 1;
      response.writeHead(refusals >= 0 ? 500 : 200).end('{"response":"success"}');
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const address = receiver.address();
    assert.ok(address !== null && typeof address === 'object');
    const url = `http://127.0.0.1:${address.port}/hooks`;
    await using bench = await openBench({ OJA_SIMULATOR_HOOKS_URL: url });
    const rules = [
      { fault: 'pending_then_failed', settle_ms: 20, recipient: '08031230001' },
      { fault: 'duplicate_callback', settle_ms: 20, recipient: '08031230002' },
    ];
    await bench.putFaults({ seed: 1, rules });
    await bench.pay({ ...MTN, request_id: newId() });
    const [failed, twice] = [newId(), newId()];
    await bench.pay({ ...MTN, request_id: failed, phone: '08031230001' });
    await eventually(async () => received.length === 2);
    await bench.pay({ ...MTN, request_id: twice, phone: '08031230002' });
    await eventually(async () => received.length === 4);
    const told = received.map(({ type, data }) => [
      type,
      (data as { requestId: string }).requestId,
      codeOf(data),
      statusOf(data),
    ]);
    assert.deepEqual(told.slice(0, 2), [
      ['transaction-update', failed, '040', 'reversed'],
      ['transaction-update', failed, '040', 'reversed'],
    ]);
    assert.deepEqual(told.slice(2), [
      ['transaction-update', twice, '000', 'delivered'],
      ['transaction-update', twice, '000', 'delivered'],
    ]);
    receiver.closeAllConnections();
    receiver.close();
  });
});
