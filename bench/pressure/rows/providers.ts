/** A provider that is slow, failing or rate-limited, with more async purchases than it can take. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Beside, buyBeside } from '../beside.ts';
import { mostWithin, perSecond } from '../deliveries.ts';
import type { Row } from '../row.ts';
import type { Counts, Site } from '../site.ts';
import { nombaSettings } from './provider-settings.ts';

const BESIDE_MAX_MS = 3_000;
/** A row whose purchases are not final by then has failed. */
const PATIENCE_MS = 300_000;

export const slow: Row = {
  what: 'VTpass healthy but slow (3 s), 1,200 async purchases; test purchases beside them',
  bar: '0 failed; each test purchase under 3 s',
  before: '700 failed; a test purchase took 5 s',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite();
    await site.operator('route', 'set', 'live', 'airtime', '*', 'vtpass');
    await site.simulator.misbehave({ fault: 'slow', provider: 'vtpass', operation: 'pay', delay_ms: 3_000 });
    const count = quick ? 200 : 1_200;
    await queue(site, count);
    progress(`${count} are queued`);
    const { result, beside } = await buyBeside(site, site.demo, site.untilFinal(site.demo.live, PATIENCE_MS));
    return {
      measured: `${countWords(result)}; ${besideWords(beside)}`,
      passed: result.success === count && isPrompt(beside),
    };
  },
};

const SICK_MS = 8_000;
/** For queued purchases: a provider that only answers 500 is soon paused. */
const SENT_MAX_SHARE = 0.1;

export const sick: Row = {
  what: 'VTpass answers 500 for 8 s, 2,000 async purchases queued; test purchases beside them',
  bar: 'failed: at most those that were sent to it in these 8 s, which are at most a tenth; each test purchase under 3 s',
  before: '2,000 of 2,000 failed',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite();
    await site.operator('route', 'set', 'live', 'airtime', '*', 'vtpass');
    await site.simulator.misbehave(
      { fault: 'error_5xx', provider: 'vtpass', operation: 'pay', delivered: false },
      { fault: 'error_5xx', provider: 'vtpass', operation: 'requery' },
    );
    const count = quick ? 400 : 2_000;
    let sent = 0;
    const work = async (): Promise<Counts> => {
      const well = sleep(SICK_MS);
      await queue(site, count);
      await well;
      sent = await site.simulator.strikes();
      await site.simulator.misbehave();
      progress(`${count} were queued, ${sent} calls met the fault; it is well again`);
      return await site.untilFinal(site.demo.live, PATIENCE_MS);
    };
    const { result, beside } = await buyBeside(site, site.demo, work());
    const { success, failed } = result;
    return {
      measured: `${countWords(result)}; ${sent} calls met the sick seconds; ${besideWords(beside)}`,
      passed:
        success + failed === count && failed <= sent && sent <= count * SENT_MAX_SHARE && isPrompt(beside),
    };
  },
};

const NOMBA_PER_S = 15;

export const paced: Row = {
  what: 'Nomba at its default 15 purchases a second, healthy, 1,000 async purchases; test purchases beside them',
  bar: '0 failed; at most 15 in any second, and no slower than 0.8 of that; each test purchase under 3 s',
  before: '573 failed within 10 s',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite({ settings: nombaSettings });
    await site.operator('route', 'set', 'live', 'airtime', '*', 'nomba');
    const count = quick ? 150 : 1_000;
    await queue(site, count);
    progress(`${count} are queued`);
    const { result, beside } = await buyBeside(site, site.demo, site.untilFinal(site.demo.live, PATIENCE_MS));
    const deliveries = await site.simulator.deliveries();
    const most = mostWithin(deliveries);
    const perS = perSecond(deliveries);
    return {
      measured: `${countWords(result)}; ${perS.toFixed(1)}/s, at most ${most} in a second; ${besideWords(beside)}`,
      passed:
        result.success === count && most <= NOMBA_PER_S && perS >= 0.8 * NOMBA_PER_S && isPrompt(beside),
    };
  },
};

/** Live purchases of airtime, all of which must be accepted. */
async function queue(site: Site, count: number): Promise<void> {
  const pace = { kind: 'closed', count, seconds: 0 } as const;
  const { good, errors } = await site.buy({ credential: site.demo.live, mode: 'async', pace });
  if (good !== count) throw new Error(`${good} of ${count} were taken: ${JSON.stringify(errors)}`);
}

function countWords({ pending, success, failed }: Counts): string {
  return `${failed} failed, ${success} delivered${pending === 0 ? '' : `, ${pending} still pending`}`;
}

function besideWords({ worstMs, count, errors }: Beside): string {
  return `${count} test purchases, the longest ${(worstMs / 1_000).toFixed(2)} s${errors}`;
}

function isPrompt({ worstMs, errors }: Beside): boolean {
  return worstMs < BESIDE_MAX_MS && errors === '';
}
