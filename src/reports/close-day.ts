/**
 * Closes a Lagos day: its figures are frozen, with a hash that is chained to the day before and to
 * the end of the audit log.
 *
 * Guarantees: a day is closed once, when it is over and everything of it is added up, when
 * purchases and ledger agree, and after the day before it; nothing of it changes any more; all of
 * it is one transaction. What comes with a time of a closed day is booked on the first open one.
 */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Database, Tx } from '../db/database.ts';
import { type Actor, actorOf } from '../kernel/actor.ts';
import { formatDay, nextDay, parseDay } from '../kernel/clock.ts';
import type { Environment } from '../kernel/environment.ts';
import { invariant, OperationError } from '../kernel/errors.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { addAll, catchUp } from './add-up.ts';
import { equationsOf } from './agree.ts';
import {
  type ClosedDay,
  countStanding,
  findClosedDay,
  findWrongBalance,
  insertClosedBalances,
  insertClosedDay,
  listClosedDays,
  type PendingSum,
  readClock,
  readPendingThen,
  type Standing,
} from './closed-day-store.ts';
import { sumMoved } from './ledger-store.ts';
import { readReport } from './report-store.ts';

/** Purchases take seconds, and their transactions are cut off after half a minute. */
const AFTER_END_MS = 5 * 60_000;

export type DayToClose = { readonly environment: Environment; readonly day: string };

/**
 * `changed` is false for a day that was closed before. Throws OperationError `day_not_over`,
 * `day_out_of_order`, `day_before_first`, `day_not_added_up`, `day_still_written`, `day_disagrees`.
 */
export async function closeDay(
  database: Database,
  chosen: DayToClose,
  actor: Actor,
  onProgress?: OnProgress,
): Promise<{ readonly closed: ClosedDay; readonly changed: boolean }> {
  const before = await closedOrNext(database, chosen);
  if (before !== undefined) return { closed: before, changed: false };
  const mark = await catchUp(database, {
    withinMs: Number.POSITIVE_INFINITY,
    ...(onProgress && { onProgress }),
  });
  if (mark.historyTo !== null || mark.fromAt < endOf(chosen.day))
    throw new OperationError({ code: 'day_still_written', day: chosen.day, since: mark.fromAt });
  return await database.transaction((tx) => closeIn(tx, chosen, actor), { patient: true });
}

async function closeIn(
  tx: Tx,
  chosen: DayToClose,
  actor: Actor,
): Promise<{ readonly closed: ClosedDay; readonly changed: boolean }> {
  const { environment, day } = chosen;
  const { mark, counted } = await addAll<Standing>(tx, countStanding(environment, day));
  // Another may have closed it while the mark was waited for.
  const before = await closedOrNext(tx, chosen);
  if (before !== undefined) return { closed: before, changed: false };
  if (mark.fromAt < endOf(day))
    throw new OperationError({ code: 'day_still_written', day, since: mark.fromAt });
  const [standing] = counted;
  invariant(standing !== undefined, 'what stands is one row');
  await requireAgreement(tx, chosen, standing);
  const pending = added([...standing.pending, ...(await readPendingThen(tx, environment, day))]);
  await insertClosedBalances(tx, environment, day);
  const { name, principal } = actorOf(actor);
  const closed = await insertClosedDay(tx, { environment, day, closedBy: name, principal, pending });
  await recordOperation(tx, {
    actor,
    action: 'day.close',
    subject: `day:${environment}:${day}`,
    after: { figures: closed.figures_hash, hash: closed.hash },
  });
  return { closed, changed: true };
}

/** The day, where it is closed; else it is the next that can be. */
async function closedOrNext(
  sql: Pick<Database, 'query'> | Tx,
  chosen: DayToClose,
): Promise<ClosedDay | undefined> {
  const refusal = await refuseNext(sql, chosen);
  // Looked up last: what refuses it may be that another has closed it in this moment.
  const closed = await findClosedDay(sql, chosen.environment, chosen.day);
  if (closed === undefined && refusal !== undefined) throw refusal;
  return closed;
}

/** Undefined for the next in order, over for some minutes by the database's clock. */
async function refuseNext(
  sql: Pick<Database, 'query'> | Tx,
  { environment, day }: DayToClose,
): Promise<OperationError | undefined> {
  const closableAt = new Date(endOf(day).getTime() + AFTER_END_MS);
  if ((await readClock(sql)) < closableAt)
    return new OperationError({ code: 'day_not_over', day, closableAt });
  const [last] = await listClosedDays(sql, environment, { before: undefined, limit: 1 });
  if (last === undefined) return undefined;
  const next = formatDay(endOf(last.day));
  if (day < next) return new OperationError({ code: 'day_before_first', day, next });
  if (day > next) return new OperationError({ code: 'day_out_of_order', day, next });
  return undefined;
}

/** Of purchases with the ledger, and of all that is added up with what accounts have. */
async function requireAgreement(
  tx: Tx,
  { environment, day }: DayToClose,
  { balances }: Standing,
): Promise<void> {
  const days = { environment, from: day, to: day };
  const totals = await readReport(tx, days, [], { after: undefined, limit: 100 });
  const wrong = equationsOf(totals, await sumMoved(tx, days)).find(({ sold, booked }) => sold !== booked);
  if (wrong !== undefined) throw new OperationError({ code: 'day_disagrees', day, ...wrong });
  const account = await findWrongBalance(tx, balances);
  if (account !== undefined)
    throw new OperationError({ code: 'day_disagrees', day, what: account.account, ...account });
}

/** By currency, in its order. */
function added(sums: readonly PendingSum[]): PendingSum[] {
  const groups = Map.groupBy(sums, ({ currency }) => currency);
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, own]) => {
      const sum = (of: (one: PendingSum) => string): string =>
        String(own.reduce((total, one) => total + BigInt(of(one)), 0n));
      return {
        currency,
        count: sum((one) => one.count),
        held: sum((one) => one.held),
        over_30s: sum((one) => one.over_30s),
        over_24h: sum((one) => one.over_24h),
      };
    });
}

function endOf(day: string): Date {
  const begin = parseDay(day);
  invariant(begin !== undefined, `${day} is a day`);
  return nextDay(begin);
}
