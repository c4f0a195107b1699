/** Many concurrent requests of merchants about gift cards and eSIMs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatMb, formatMs } from '../../results.ts';
import { type Answer, countErrors, errorWords, onSchedule, quantile, saidIn, type Times } from '../client.ts';
import type { Merchant } from '../operator.ts';
import type { Row } from '../row.ts';
import type { Site } from '../site.ts';
import { esimAccessSettings, reloadlySettings } from './provider-settings.ts';

const PICTURES_MAX_BYTES = 100_000_000;
const SAMPLE_MS = 20;
/** A test eSIM is pending for a few seconds. */
const TRIES = 100;
const TRY_MS = 200;

export const pictures: Row = {
  what: '500 QR codes asked for at once by a test credential',
  bar: 'under 100 MB more memory',
  before: '+630 MB; 1,500 of them: 1.8 GB',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite();
    const count = quick ? 200 : 500;
    const [first, ...paths] = await buyTestEsims(site, count + 1);
    const draw = (pictured: readonly string[]): ReturnType<Site['load']> =>
      site.load({
        connections: pictured.length,
        credentials: [site.demo.test],
        requests: { kind: 'lookups', paths: pictured },
        pace: { kind: 'closed', count: pictured.length, seconds: 0 },
        expect: 'PNG',
      });
    // Starts the drawing thread before the measurement.
    await draw([first ?? '']);
    progress('the eSIMs are there');
    const calm = await site.gateway.residentBytes();
    let most = calm;
    const timer = setInterval(async () => {
      most = Math.max(most, await site.gateway.residentBytes());
    }, SAMPLE_MS);
    const { sent, good, errors } = await draw(paths);
    clearInterval(timer);
    return {
      measured: `+${formatMb(most - calm)}; ${good} of ${sent} were drawn${errorWords(errors)}`,
      passed: most - calm < PICTURES_MAX_BYTES && good > 0,
    };
  },
};

/** Paths of the QR codes of this many eSIMs, all different, because a drawn code is cached. */
async function buyTestEsims({ client, gateway, demo }: Site, count: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, n) => `/v1/esim/orders/picture-${n}`);
  for (const n of paths.keys()) {
    const body = { request_id: `picture-${n}`, plan_id: 'US-1GB-7D' };
    await client.call(gateway, demo.test, 'POST', '/v1/esim/orders', body);
  }
  for (const path of paths) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (saidIn(await client.call(gateway, demo.test, 'GET', path), 'response_code') === '00') break;
      await sleep(TRY_MS);
    }
  }
  return paths.map((path) => `${path}/qrcode`);
}

/** The response time of these providers in milliseconds, as over the internet. */
const PROVIDER_MS = '300';
const WITHIN_CALM = 2;
/** The queries run this long before the orders of others are measured. */
const HEAD_START_MS = 1_000;

/** Sold by value, from 5 to 500 dollars. */
const VARIABLE_CARD = 300120;
const CARDS = [300001, 300016, 300027, 300037, 300050, 300062, 300072, 300079] as const;
const ASKED_PER_S = 150;

export const availability: Row = {
  what: 'availability of a variable card asked 150 times a second, card orders of another merchant',
  bar: 'p99 of the orders within twice the calm one, none refused',
  before: 'orders answered 502, the breaker open',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite({
      settings: reloadlySettings,
      simulator: { OJA_SIMULATOR_LATENCY_MS: PROVIDER_MS },
    });
    const buyer = await site.openMerchant('BUYER', 'GIFTCARD');
    const seconds = quick ? 5 : 20;
    const order = (run: string): Promise<Times> =>
      onSchedule(500, seconds * 2, async (n) => {
        const plan_id = CARDS[n % CARDS.length];
        const body = { request_id: `${run}-${n}`, plan_id };
        return wrongOrder(
          await site.client.call(site.gateway, buyer.live, 'POST', '/v1/giftcards/orders', body),
        );
      });
    await order('first');
    const calm = await order('calm');
    progress(`calm: ${timesWords(calm)}`);
    const [{ good, sent }, pressed] = await Promise.all([
      site.load({
        connections: 400,
        credentials: [site.demo.live],
        requests: { kind: 'lookups', paths: availabilityPaths() },
        pace: { kind: 'open', perSecond: ASKED_PER_S, seconds: seconds + 2 },
        expect: '"available":true',
      }),
      sleep(HEAD_START_MS).then(() => order('pressed')),
    ]);
    return judge(calm, pressed, `${good} of ${sent} questions were answered`);
  },
};

/** Each differs from the last in value and quantity. */
function availabilityPaths(): string[] {
  return Array.from(
    { length: 2_000 },
    (_, n) =>
      `/v1/giftcards/plans/${VARIABLE_CARD}/availability?quantity=${1 + (n % 5)}&face_value=${5 + (n % 490)}`,
  );
}

const POLLED = 40;

export const polls: Row = {
  what: '40 pending eSIMs polled once a second, orders of another merchant',
  bar: 'p99 of the orders within twice the calm one, none refused',
  before: 'orders waited up to 30 s to be sent',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite({
      settings: esimAccessSettings,
      simulator: { OJA_SIMULATOR_LATENCY_MS: PROVIDER_MS, OJA_SIMULATOR_ALLOCATE_MS: '600000' },
    });
    const buyer = await site.openMerchant('BUYER', 'ESIM');
    const seconds = quick ? 8 : 30;
    const order = (run: string): Promise<Times> =>
      onSchedule(1_000, seconds, async (n) => orderEsim(site, buyer, `${run}-${n}`));
    await orderEsim(site, buyer, 'first');
    const calm = await order('calm');
    progress(`calm: ${timesWords(calm)}`);
    await onSchedule(200, POLLED, async (n) => orderEsim(site, site.demo, `polled-${n}`));
    const [polled, pressed] = await Promise.all([
      onSchedule(1_000 / POLLED, (seconds + 2) * POLLED, async (n) => {
        const path = `/v1/esim/orders/polled-${n % POLLED}`;
        return wrongOrder(await site.client.call(site.gateway, site.demo.live, 'GET', path));
      }),
      sleep(HEAD_START_MS).then(() => order('pressed')),
    ]);
    return judge(calm, pressed, `polls: ${timesWords(polled)}`);
  },
};

async function orderEsim(
  { client, gateway }: Site,
  { live }: Merchant,
  reference: string,
): Promise<string | undefined> {
  const body = { request_id: reference, plan_id: 'US-5GB-30D' };
  return wrongOrder(await client.call(gateway, live, 'POST', '/v1/esim/orders', body));
}

/** An order is a success or pending. */
function wrongOrder(answer: Answer): string | undefined {
  const said = saidIn(answer, 'response_code');
  return said === '00' || said === '02' ? undefined : `${answer.status} ${said ?? ''}`.trim();
}

function judge(calm: Times, pressed: Times, aside: string): { measured: string; passed: boolean } {
  const ratio = quantile(pressed.ms, 0.99) / quantile(calm.ms, 0.99);
  return {
    measured: `${ratio.toFixed(2)}× the calm p99: ${timesWords(calm)}, then ${timesWords(pressed)} (${aside})`,
    passed: countErrors(pressed.errors) === 0 && ratio <= WITHIN_CALM,
  };
}

function timesWords({ ms, errors }: Times): string {
  return `p50 ${formatMs(quantile(ms, 0.5))}, p99 ${formatMs(quantile(ms, 0.99))}${errorWords(errors)}`;
}
