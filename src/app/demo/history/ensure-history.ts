/**
 * The history of the demo: a week up to its first start, and its older days closed. Guarantees: it
 * is played once, also where several gateways start at the same time; one that is killed meanwhile
 * leaves nothing of it, and the next start plays it; a demo that has begun to sell without it never
 * gets it.
 */
import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FundingProvider } from '../../../banks/funding-provider.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { lockSetup, readSetting, updateSetting } from '../../../db/setting-store.ts';
import { formatDay, parseDay } from '../../../kernel/clock.ts';
import { OperationError } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Sealer } from '../../../kernel/sealing.ts';
import { createSeeded } from '../../../kernel/seeded.ts';
import type { Provider } from '../../../providers/provider.ts';
import { closeDay } from '../../../reports/close-day.ts';
import { readClock } from '../../../reports/closed-day-store.ts';
import { historySetting } from '../history-setting.ts';
import { askBank } from './money-of-week.ts';
import { ada } from './people.ts';
import { daysToClose, type HeldFloats, playWeek } from './play-week.ts';

const SEED = 20_260_101;
const CLOSE_TRIES = 20;
const CLOSE_PAUSE_MS = 200;
const DAY_MS = 86_400_000;

export type HistoryParts = {
  readonly database: Database;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly banks: ReadonlyMap<string, FundingProvider>;
  readonly sealer: Sealer;
  readonly pepper: KeyObject;
  readonly log: Logger;
};

export async function ensureHistory(parts: HistoryParts, wanted: 'week' | 'none'): Promise<void> {
  const { database } = parts;
  const state = await readSetting(database, historySetting.name);
  if (state === undefined || state === historySetting.none || state === historySetting.done) return;
  if (state === historySetting.due) await beginHistory(parts, wanted);
  await closeDays(parts);
}

/** Played, or put off for ever. */
async function beginHistory(parts: HistoryParts, wanted: 'week' | 'none'): Promise<void> {
  if (wanted === 'none') {
    await oncePerDemo(parts.database, async () => historySetting.none);
    return;
  }
  const { database, providers, banks, sealer, pepper, log } = parts;
  const startedMs = performance.now();
  // Others are asked before the transaction, which waits for nobody.
  const [held, bank] = await Promise.all([askFloats(providers), askBank(banks)]);
  const isPlayed = await oncePerDemo(database, async (tx) => {
    const week = weekBefore(await readClock(tx));
    const seeded = createSeeded(SEED);
    await playWeek({ tx, providers, bank, sealer, pepper, log, seeded, held }, week);
    return JSON.stringify({ close: daysToClose(week) });
  });
  if (isPlayed)
    log.info({ tookMs: Math.round(performance.now() - startedMs) }, 'a week of history was played');
}

/** `work` gives the state after it. False where another gateway has done it meanwhile. */
async function oncePerDemo(database: Database, work: (tx: Tx) => Promise<string>): Promise<boolean> {
  return await database.transaction(
    async (tx) => {
      await lockSetup(tx);
      if ((await readSetting(tx, historySetting.name)) !== historySetting.due) return false;
      await updateSetting(tx, historySetting.name, await work(tx));
      return true;
    },
    { patient: true },
  );
}

/** Whoever does not say what our float is has none in the books. */
async function askFloats(providers: ReadonlyMap<string, Provider>): Promise<HeldFloats> {
  const live = [...providers.values()].filter(({ environment }) => environment === 'live');
  const asked = await Promise.all(live.map(async ({ name, balance }) => [name, await balance()] as const));
  return new Map(asked.flatMap(([name, held]) => (held === undefined ? [] : [[name, held] as const])));
}

/** Seven whole Lagos days, and today up to now. */
function weekBefore(end: Date): { readonly begin: Date; readonly end: Date } {
  const today = parseDay(formatDay(end)) ?? end;
  return { begin: new Date(today.getTime() - 7 * DAY_MS), end };
}

/**
 * A start that was killed between two days goes on here. In its first second a database closes
 * none; where it takes longer, they wait for the next start.
 */
async function closeDays({ database, log }: HistoryParts): Promise<void> {
  const state = await readSetting(database, historySetting.name);
  if (state === undefined || !state.startsWith('{')) return;
  const { close } = JSON.parse(state) as { readonly close: readonly string[] };
  for (let tries = 1; ; tries += 1) {
    try {
      for (const day of close) await closeDay(database, { environment: 'live', day }, ada);
      await updateSetting(database, historySetting.name, historySetting.done);
      return;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      if (tries === CLOSE_TRIES) {
        log.warn({ err: error }, 'the days of the history are not closed: the next start tries again');
        return;
      }
    }
    await sleep(CLOSE_PAUSE_MS);
  }
}
