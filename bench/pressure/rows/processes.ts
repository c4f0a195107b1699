/** Four processes on one database: how fast they are on one wallet, and providers' limits. */
import { formatRate, median, ratePerS } from '../../results.ts';
import { countErrors, errorWords } from '../client.ts';
import { mostWithin, perSecond } from '../deliveries.ts';
import type { Row } from '../row.ts';
import { nombaSettings } from './provider-settings.ts';

const PROCESSES = 4;
const CONNECTIONS = 256;
const MIN_SHARE = 0.9;

export const processes: Row = {
  what: 'four processes on one hot wallet, against one of them alone, in turns',
  bar: 'at least 0.9 of the rate',
  before: 'not measured',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite({ gateways: PROCESSES });
    const [seconds, rounds] = quick ? [1, 1] : [6, 5];
    const buy = async (count: number): Promise<number> => {
      // The same number of load generators each time, because they share the processors.
      const results = await Promise.all(
        site.gateways.map((_, generator) =>
          site.buy(
            {
              credential: site.demo.test,
              mode: 'sync',
              connections: CONNECTIONS / PROCESSES,
              pace: { kind: 'closed', seconds },
            },
            site.gateways[generator % count],
          ),
        ),
      );
      for (const { errors } of results) if (countErrors(errors) > 0) throw new Error(errorWords(errors));
      return results.reduce((sum, result) => sum + ratePerS(result), 0);
    };
    // Each process must have compiled its code: a quarter of the purchases goes to each.
    for (let round = 1; round <= (quick ? 1 : PROCESSES); round += 1) await buy(PROCESSES);
    const [one, four]: [number[], number[]] = [[], []];
    for (let round = 1; round <= rounds; round += 1) {
      one.push(await buy(1));
      four.push(await buy(PROCESSES));
      progress(`one ${formatRate(one.at(-1) ?? 0)}, four ${formatRate(four.at(-1) ?? 0)}`);
    }
    const share = median(four) / median(one);
    return {
      measured: `${share.toFixed(2)} of the rate (one ${formatRate(median(one))}, four ${formatRate(median(four))})`,
      passed: share >= MIN_SHARE,
    };
  },
};

const NOMBA_PER_S = 15;
const VTPASS_AT_ONCE = 50;
const VTPASS_MS = 2_000;
/** Clocks and timers are not exact: a little shorter than a call takes. */
const WINDOW_MS = VTPASS_MS - 100;
const PATIENCE_MS = 300_000;

export const limits: Row = {
  what: 'four processes, each with async purchases for Nomba (15/s) and for VTpass (50 at once, 2 s slow)',
  bar: '0 failed; over all four at most 15 a second at Nomba and 50 at once at VTpass, each used to 0.8 at least',
  before: 'not measured',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite({ settings: nombaSettings, gateways: PROCESSES });
    await site.operator('route', 'set', 'live', 'airtime', 'MTN', 'nomba');
    await site.operator('route', 'set', 'live', 'airtime', 'GLO', 'vtpass');
    await site.simulator.misbehave({
      fault: 'slow',
      provider: 'vtpass',
      operation: 'pay',
      delay_ms: VTPASS_MS,
    });
    const count = quick ? 100 : 800;
    const pace = { kind: 'closed', count: count / PROCESSES, seconds: 0 } as const;
    const loads = await Promise.all(
      site.gateways.map((gateway) =>
        site.buy(
          { credential: site.demo.live, mode: 'async', pace, connections: 4, networks: ['mtn', 'glo'] },
          gateway,
        ),
      ),
    );
    const taken = loads.reduce((sum, { good }) => sum + good, 0);
    progress(`${taken} are queued`);
    const { success, failed } = await site.untilFinal(site.demo.live, PATIENCE_MS);
    const deliveries = await site.simulator.deliveries();
    const of = (name: string) => deliveries.filter(({ provider }) => provider === name);
    const [nomba, vtpass] = [of('nomba'), of('vtpass')];
    const mostNomba = mostWithin(nomba);
    const mostVtpass = mostWithin(vtpass, WINDOW_MS);
    const perS = [perSecond(nomba), perSecond(vtpass)] as const;
    return {
      measured:
        `${failed} failed, ${success} delivered; Nomba ${perS[0].toFixed(1)}/s, at most ${mostNomba} in a second; ` +
        `VTpass ${perS[1].toFixed(1)}/s, at most ${mostVtpass} at once`,
      passed:
        success === count &&
        mostNomba <= NOMBA_PER_S &&
        mostVtpass <= VTPASS_AT_ONCE &&
        perS[0] >= 0.8 * NOMBA_PER_S &&
        perS[1] >= (0.8 * VTPASS_AT_ONCE * 1_000) / VTPASS_MS,
    };
  },
};
