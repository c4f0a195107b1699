/**
 * Many requests of one caller, mostly with test credentials: they are limited, each refusal
 * explains it, and others are not affected.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { buy, electricity, newMeter, strikesOn, verificationOf, verify } from '../e2e/bills.ts';
import { assertRefused, eventually, newReference, openGatewayUnderTest } from '../e2e/gateway-under-test.ts';
import { cardOrders, esimOrders, openCounter } from '../e2e/goods.ts';
import { heldOf, misbehave, release, untilHeld } from '../e2e/provider.ts';
import { openShop, type Shop } from '../e2e/shop.ts';
import type { Answer, KeyPair } from '../support/gateway.ts';

const gateway = await openGatewayUnderTest();

const folder = await mkdtemp(join(tmpdir(), 'oja-callers-'));
/** Answers each eSIM slowly. */
const simulator = await startSimulator(
  readSettings({
    OJA_SIMULATOR_PORT: '0',
    OJA_SIMULATOR_DIR: folder,
    OJA_SIMULATOR_ALLOCATE_MS: '60000',
  }),
);
after(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

/** Its eSIM Access account allows eight calls a second. */
const paced = await openGatewayUnderTest({
  simulatorUrl: simulator.url,
  settings: {
    OJA_ESIMACCESS_BASE_URL: `${simulator.url}/esimaccess`,
    OJA_ESIMACCESS_ACCESS_CODE: 'simulator-access-code',
    OJA_ESIMACCESS_SECRET_KEY: 'simulator-esimaccess-secret-0123456789abcdefghij',
  },
});

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

describe('QR codes requested by hundreds at once', () => {
  it('many QR codes take little memory, and a live one is drawn meanwhile', async () => {
    const count = 200;
    const references = await Promise.all(
      Array.from({ length: count }, async () => {
        const request_id = newReference();
        const body = { request_id, plan_id: 'NG-1GB-7D' };
        const answer = await gateway.call('POST', esimOrders, { body });
        assert.equal(answer.status, 200, answer.text);
        return request_id;
      }),
    );
    const counter = await openCounter(gateway, esimOrders);
    const live = (await counter.order({ plan_id: 'US-1GB-7D' })).body.data.request_id;
    await counter.final(live);
    const picture = (reference: string) => gateway.call('GET', `${esimOrders}/${reference}/qrcode`);
    // All of them: a pending one has no picture yet.
    await eventually('the test orders are final', async () => {
      const pending = await gateway.database.query('select from pending_purchases');
      return pending.length === 0 ? true : undefined;
    });
    const calmMb = await residentMb();
    let mostMb = calmMb;
    const watch = setInterval(async () => {
      mostMb = Math.max(mostMb, await residentMb());
    }, 20);
    const asked = Promise.all(references.map(picture));
    const ofLive = await counter.look(live, '/qrcode');
    const answers = await asked;
    clearInterval(watch);
    assert.deepEqual([ofLive.status, ofLive.headers['content-type']], [200, 'image/png']);
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.length < count, 'some are drawn');
    for (const answer of refused) {
      // On a slow machine the merchant's share of the database is used up first.
      const byShare = answer.status === 429;
      assertRefused(answer, byShare ? 429 : 503, { reason: byShare ? 'look_ups_full' : 'qr_codes_full' });
      assert.equal(answer.headers['retry-after'], '1');
    }
    assert.ok(mostMb - calmMb < 100, `${mostMb - calmMb} MB`);
  });
});

const boundary = 'a-boundary';

let people = 0;

/** A form with a file, of a new person. */
function newForm(): string {
  people += 1;
  const fields = {
    currency: 'NGN',
    bvn: String(22_300_000_000 + people),
    email: `ada${people}@shop.example`,
    first_name: 'Ada',
    last_name: 'Obi',
    phone_number: '08031234567',
  };
  return [
    ...Object.entries(fields).map(
      ([name, value]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${boundary}\r\ncontent-disposition: form-data; name="id_card"; filename="id.pdf"\r\n\r\n`,
    `%PDF-1.7\n${' '.repeat(200_000)}\r\n--${boundary}--\r\n`,
  ].join('');
}

type Upload = { readonly status: number; readonly reason: string };

/** Sends a form with a file. If `sent` is given, only that many bytes are sent. */
function upload(as: KeyPair, sent?: number): Promise<Upload> {
  const form = newForm();
  return new Promise((resolve, reject) => {
    const headers = {
      'x-merchant-key': as.key,
      'x-merchant-secret': as.secret,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': form.length,
    };
    const sending = request(`${gateway.url}/v1/wallet/funding-account`, { method: 'POST', headers });
    sending.on('error', reject);
    sending.on('response', async (answer) => {
      const { reason = '' } = JSON.parse(Buffer.concat(await answer.toArray()).toString('utf8'));
      resolve({ status: answer.statusCode ?? 0, reason });
      sending.destroy();
    });
    if (sent === undefined) sending.end(form);
    else sending.write(form.slice(0, sent));
  });
}

async function openBillShop(): Promise<Shop> {
  const shop = await openShop(gateway);
  await gateway.database.query(
    "insert into merchant_products (merchant_id, environment, product) values ($1, 'live', 'ELECTRICITY')",
    [shop.id],
  );
  return shop;
}

async function openFundingShop(): Promise<Shop> {
  const shop = await openShop(gateway);
  await gateway.database.query(
    `insert into funding_currencies (merchant_id, environment, currency)
     values ($1, 'live', 'NGN'), ($1, 'test', 'NGN')`,
    [shop.id],
  );
  return shop;
}

describe('uploads', () => {
  it('ends uploads that stop arriving, with a message, and delays no one', async () => {
    const [shop, other] = [await openFundingShop(), await openFundingShop()];
    const ended = { cut: 0 };
    const stall = async (as: KeyPair): Promise<Upload> => {
      const answer = await upload(as, 1_000);
      if (answer.status === 408) ended.cut += 1;
      return answer;
    };
    const stalled = Promise.all([
      ...Array.from({ length: 8 }, () => stall(shop.live)),
      ...Array.from({ length: 4 }, () => stall(shop.test)),
    ]);
    const beside = await upload(other.live);
    assert.equal(beside.status, 200, beside.reason);
    assert.equal(ended.cut, 0, 'it did not wait for those that stall');
    const cut = await stalled;
    for (const { status, reason } of cut) {
      // Requests that waited for a slot may not have got one.
      assert.ok(['408 upload_stalled', '503 uploads_full'].includes(`${status} ${reason}`), reason);
    }
    const reads = cut.filter(({ status }) => status === 408);
    assert.ok(reads.length >= 3, JSON.stringify(cut));
  });

  it('paces endless uploads of one credential, answers all, and serves others meanwhile', async () => {
    const [shop, other] = [await openFundingShop(), await openFundingShop()];
    const ended = { taken: 0 };
    const push = async (): Promise<Upload> => {
      const answer = await upload(shop.test);
      if (answer.status === 200) ended.taken += 1;
      return answer;
    };
    const many = Promise.all(Array.from({ length: 24 }, push));
    const [live, test] = [await upload(other.live), await upload(other.test)];
    assert.deepEqual([live.status, test.status], [200, 200]);
    const before = ended.taken;
    const answers = await many;
    assert.ok(before < ended.taken, `all ${before} were taken before the others`);
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.length >= 6 && refused.length < 24, `${refused.length} refused`);
    for (const { status, reason } of refused) {
      assert.deepEqual([status, reason], [503, 'uploads_full']);
    }
  });
});

/** A card of the demo catalog from 5 to 500 dollars, and its product at Reloadly. */
const VARIABLE = { planId: 300120, recipient: '478', tooDear: '500.01' };

describe('the availability of a variable card', () => {
  it('queries availability once for many values, and buys meanwhile', async () => {
    const [asking, buying] = [await openCounter(gateway, cardOrders), await openCounter(gateway, cardOrders)];
    await misbehave(gateway, {
      fault: 'slow',
      provider: 'reloadly',
      operation: 'verify',
      recipient: VARIABLE.recipient,
      hold: true,
    });
    const values = Array.from({ length: 100 }, (_, at) => `${25 + at}.00`);
    let answered = 0;
    const asked = Promise.all(
      values.map(async (value) => {
        const path = `/v1/giftcards/plans/${VARIABLE.planId}/availability?face_value=${value}`;
        const answer = await gateway.call('GET', path, { as: asking.shop.live });
        answered += 1;
        return answer;
      }),
    );
    const bought = await buying.order({ plan_id: 300008 });
    assert.deepEqual([bought.status, bought.body.response_code], [200, '00'], bought.text);
    await untilHeld(gateway, VARIABLE.recipient);
    assert.equal(answered, 0, 'it did not wait for those questions');
    await release(gateway, VARIABLE.recipient);
    for (const answer of await asked) {
      assert.deepEqual([answer.status, answer.body.data?.available], [200, true], answer.text);
    }
    assert.deepEqual(await strikesOn(gateway, VARIABLE.recipient), [1]);
    const tooDear = `/v1/giftcards/plans/${VARIABLE.planId}/availability?face_value=${VARIABLE.tooDear}`;
    assertRefused(await gateway.call('GET', tooDear, { as: asking.shop.live }), 400, 'face_value');
    const test = `/v1/giftcards/plans/${VARIABLE.planId}/availability?face_value=125.00`;
    assert.equal((await gateway.call('GET', test)).body.data.available, true);
    assert.deepEqual(await strikesOn(gateway, VARIABLE.recipient), [1]);
  });
});

describe('pending eSIMs that are polled', () => {
  it('queries pending eSIMs with spare calls, each once in a while, by its number', async () => {
    const [polling, buying] = [await openCounter(paced, esimOrders), await openCounter(paced, esimOrders)];
    const [plan_id, recipient] = ['US-1GB-7D', 'US_1_7'];
    await misbehave(paced, { fault: 'slow', recipient, operation: 'requery', delay_ms: 0 });
    const bought = await Promise.all(Array.from({ length: 16 }, () => polling.order({ plan_id })));
    const pending = bought.map(({ body }) => body.data.request_id);
    const asked = async (): Promise<number> => (await strikesOn(paced, recipient))[0] ?? 0;
    const before = await asked();
    let polls = 0;
    let stopped = false;
    const done = Promise.all(
      pending.map(async (reference) => {
        while (!stopped) {
          const answer = await polling.look(reference);
          assert.deepEqual([answer.status, answer.body.response_code], [200, '02'], answer.text);
          polls += 1;
          await sleep(250);
        }
      }),
    );
    await eventually('several are asked about', async () => ((await asked()) > before ? true : undefined));
    // The number of queries sent to the provider while each order waited. If orders queued behind
    // the queries of all sixteen, that many would go first each time.
    const passed: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const first = await asked();
      const order = await buying.order({ plan_id: 'CA-1GB-7D' });
      passed.push((await asked()) - first);
      assert.equal(order.body.response_code, '02', order.text);
    }
    await eventually('they are asked about on', async () =>
      (await asked()) >= before + 4 ? true : undefined,
    );
    stopped = true;
    await done;
    const [, , median = 0] = passed.toSorted((one, other) => one - other);
    assert.ok(median < pending.length / 2, `${passed} questions went first`);
    const questions = (await asked()) - before;
    assert.ok(polls > questions, `${polls} polls, ${questions} questions`);
  });
});

describe('customers of bills looked up by hundreds', () => {
  it('limits checks of customers to a share of the calls; the purchase of another is verified meanwhile', async () => {
    const [asking, buying] = [await openBillShop(), await openBillShop()];
    const meters = Array.from({ length: 150 }, newMeter);
    await misbehave(
      gateway,
      ...meters.map((recipient) => ({ fault: 'slow', recipient, operation: 'verify', hold: true })),
    );
    let served = 0;
    const looked = Promise.all(
      meters.map(async (msisdn) => {
        const bill = electricity({ msisdn, merchant: asking.code });
        const answer = await verify(gateway, verificationOf(bill), asking.live);
        if (answer.status === 200) served += 1;
        return answer;
      }),
    );
    await eventually('one is held', async () => ((await heldOf(gateway)) > 0 ? true : undefined));
    const bill = electricity({ msisdn: newMeter(), merchant: buying.code });
    const bought = await buy(gateway, bill, buying.live);
    assert.deepEqual([bought.status, bought.body.response_code], [200, '00'], bought.text);
    assert.equal(served, 0, 'it did not wait for those look-ups');
    for (const meter of meters) await release(gateway, meter);
    const answers = await looked;
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.length > 0 && refused.length < meters.length, `${refused.length} refused`);
    for (const answer of refused) {
      assertRefused(answer, 503, { reason: 'provider_look_ups_full' });
    }
  });
});

describe('orders of a provider whose slots are all taken', () => {
  it('refuses orders without a place before anything is stored, and sends all others', async () => {
    const counter = await openCounter(paced, esimOrders);
    const send = (length: number): Promise<Answer>[] =>
      Array.from({ length }, () => counter.order({ plan_id: 'US-1GB-7D' }));
    const first = send(30);
    await sleep(500);
    const orders = await Promise.all([...first, ...send(10)]);
    const refused = orders.filter(({ status }) => status !== 200);
    assert.ok(refused.length > 0 && refused.length < 30, `${refused.length} refused`);
    for (const answer of refused) {
      assertRefused(answer, 503, { reason: 'providers_busy' });
    }
    const [row] = await paced.database.query<{ stored: number; failed: number }>(
      `select count(*)::integer as stored, count(o.purchase_id)::integer as failed
       from purchases v
       left join purchase_outcomes o on o.merchant_id = v.merchant_id and o.purchase_id = v.id
       where v.merchant_id = $1`,
      [counter.shop.id],
    );
    assert.deepEqual(row, { stored: orders.length - refused.length, failed: 0 });
  });
});
