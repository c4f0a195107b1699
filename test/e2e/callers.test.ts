/**
 * What one caller asks for in large numbers, on test credentials above all: it is bounded, each
 * refusal says so, and others do not feel it.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { assertRefused, eventually, newReference, openGatewayUnderTest } from './gateway-under-test.ts';
import { esimOrders, openCounter } from './goods.ts';

const gateway = await openGatewayUnderTest();

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

describe('QR codes asked for by hundreds at once', () => {
  it('take little memory, and a live one is drawn meanwhile', async () => {
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
    await eventually('the test orders are final', async () =>
      (await picture(references.at(-1) ?? '')).status === 200 ? true : undefined,
    );
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
    assert.ok(refused.length > 0 && refused.length < count, `${refused.length} refused`);
    for (const answer of refused) {
      assertRefused(answer, 503);
      assert.match(answer.body.message, /Too many QR codes/);
      assert.equal(answer.headers['retry-after'], '1');
    }
    assert.ok(mostMb - calmMb < 100, `${mostMb - calmMb} MB`);
  });
});
