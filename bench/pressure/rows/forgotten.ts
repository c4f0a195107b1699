/** A provider that reports success without the token, and later answers "not found". */
import { setTimeout as sleep } from 'node:timers/promises';
import { saidIn } from '../client.ts';
import type { Row } from '../row.ts';
import type { Site } from '../site.ts';

const STEP_MS = 250;
/** The answers of VTpass are stored by then. */
const STORED_MS = 1_000;
const FINAL_MS = 120_000;

export const forgotten: Row = {
  what: 'VTpass says success without the token, then "not found" to every question',
  bar: 'a success, with an alarm',
  before: 'refunded without an alarm',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite({
      settings: () => ({ OJA_NOT_FOUND_GRACE_S: '10', OJA_SYNC_DEADLINE_S: quick ? '30' : '60' }),
    });
    await site.operator('route', 'set', 'live', 'ELECTRICITY', '*', 'vtpass');
    await site.simulator.misbehave({
      fault: 'pending_fulfilments',
      provider: 'vtpass',
      fulfilment_ms: 3_600_000,
    });
    const answer = buyPower(site);
    while ((await site.simulator.strikes()) === 0) await sleep(STEP_MS);
    await sleep(STORED_MS);
    await site.simulator.forgetAll();
    progress('delivered without its token, and forgotten');
    await answer;
    const outcome = await untilFinal(site);
    const alarms = (await site.operator('alarm', 'list')) as { readonly kind: string }[];
    const kinds = alarms.map(({ kind }) => kind);
    return {
      measured: `${outcome}, ${kinds.length === 0 ? 'no alarm' : `alarm ${kinds.join(', ')}`}`,
      passed: outcome === 'success' && kinds.length > 0,
    };
  },
};

const REFERENCE = 'forgotten-1';

async function buyPower({ client, gateway, demo }: Site): Promise<void> {
  await client.call(gateway, demo.live, 'POST', '/v1/transactions', {
    merchant: demo.code,
    product: 'ELECTRICITY',
    network: 'Ikeja Electric',
    plan_code: '2001',
    msisdn: '45123456781',
    amount: '2000',
    request_ref: REFERENCE,
  });
}

async function untilFinal({ client, gateway, demo }: Site): Promise<string> {
  const path = `/v1/transactions/status?request_ref=${REFERENCE}`;
  const deadline = performance.now() + FINAL_MS;
  for (;;) {
    const state = String(saidIn(await client.call(gateway, demo.live, 'GET', path), 'state'));
    if (state !== 'pending' || performance.now() > deadline) return state;
    await sleep(STEP_MS);
  }
}
