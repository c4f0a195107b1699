/** Endless ID documents from one test credential, and uploads that stop halfway. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credential, LoadResult } from '../../load/job.ts';
import { formatMs } from '../../results.ts';
import { countErrors, errorWords } from '../client.ts';
import type { Row } from '../row.ts';
import type { Site } from '../site.ts';
import { type Document, documentOf, sendDocument, stallUpload } from '../upload.ts';

const LOOPS = 16;
const STALLED = 8;
/** The uploads run this long before the others are measured. */
const HEAD_START_MS = 1_000;
const WITHIN_CALM = 2;
/** A document of another merchant, sent again while it is temporarily refused. */
const OTHER_MAX_MS = 10_000;
const AGAIN_MS = 500;

export const uploads: Row = {
  what: '16 upload loops of ID documents on a test credential, eight stalled uploads; airtime of another merchant',
  bar: 'p99 of the airtime within twice the calm one, none refused; documents of others taken within 10 s',
  before: 'p50 5 → 784 ms; the stalled uploads block all others',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite();
    const merchants = ['LOOPER', 'STALLER', 'OTHER'].map(async (code) => {
      const merchant = await site.openMerchant(code);
      await site.operator('funding', 'enable', code, 'NGN');
      return merchant.test;
    });
    const [looper, staller, other] = await Promise.all(merchants);
    if (looper === undefined || staller === undefined || other === undefined)
      throw new Error('there are three');
    const seconds = quick ? 4 : 20;
    const buy = (): Promise<LoadResult> =>
      site.buy({ credential: other, mode: 'sync', pace: { kind: 'open', perSecond: 50, seconds } });
    await buy();
    const calm = await buy();
    progress(`calm: ${loadWords(calm)}`);
    const stop = new AbortController();
    const [pressed, aside] = await Promise.all([
      sleep(HEAD_START_MS)
        .then(buy)
        .finally(() => stop.abort()),
      startAside(site, { looper, staller, other }, stop.signal),
    ]);
    const { taken, refused, worstOtherMs } = aside;
    const ratio = pressed.latencyMs.p99 / calm.latencyMs.p99;
    return {
      measured:
        `${ratio.toFixed(2)}× the calm p99: ${loadWords(calm)}, then ${loadWords(pressed)} ` +
        `(loops: ${taken} taken, ${refused} refused; documents of others: the longest ${formatMs(worstOtherMs)})`,
      passed: countErrors(pressed.errors) === 0 && ratio <= WITHIN_CALM && worstOtherMs < OTHER_MAX_MS,
    };
  },
};

type Senders = Readonly<Record<'looper' | 'staller' | 'other', Credential>>;
type Aside = { readonly taken: number; readonly refused: number; readonly worstOtherMs: number };

/** All uploads, until `stop`. */
async function startAside({ gateway }: Site, senders: Senders, stop: AbortSignal): Promise<Aside> {
  const large = documentOf('looper', 4_900_000);
  const small = documentOf('other', 200_000);
  let [taken, refused, worstOtherMs] = [0, 0, 0];
  const send = (credential: Credential, document: Document): Promise<number> =>
    sendDocument(gateway, credential, document, stop);
  const again = async (work: () => Promise<void>): Promise<void> => {
    while (!stop.aborted) await work();
  };
  const loops = Array.from({ length: LOOPS }, () =>
    again(async () => {
      if ((await send(senders.looper, large)) === 200) taken += 1;
      else refused += 1;
    }),
  );
  const stalled = Array.from({ length: STALLED }, () =>
    again(() => stallUpload(gateway, senders.staller, large, stop)),
  );
  const others = again(async () => {
    const startedAt = performance.now();
    while ((await send(senders.other, small)) !== 200) {
      worstOtherMs = Math.max(worstOtherMs, performance.now() - startedAt);
      if (stop.aborted) return;
      await sleep(AGAIN_MS);
    }
    worstOtherMs = Math.max(worstOtherMs, performance.now() - startedAt);
    await sleep(AGAIN_MS);
  });
  await Promise.all([...loops, ...stalled, others]);
  return { taken, refused, worstOtherMs };
}

function loadWords({ latencyMs, errors }: LoadResult): string {
  return `p50 ${formatMs(latencyMs.p50)}, p99 ${formatMs(latencyMs.p99)}${errorWords(errors)}`;
}
