/**
 * Closes a Lagos day: freezes its figures with a hash that is chained to the day before and to the
 * end of the audit log. A repeated call answers that the day is closed.
 *
 * Guarantees: a day is closed once, after it is over and completely rolled up, when purchases and
 * ledger agree, and after the day before it. Nothing of it changes afterwards, and all of it is one
 * transaction. No row can get a time in a closed day (roll-up.ts).
 */
import { Type } from 'typebox';
import { type Actor, actorOf } from '../../../core/actor.ts';
import { type Environment, environments } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import { dayField, inputOf, oneOf } from '../../../core/operation-fields.ts';
import type { OnProgress } from '../../../core/progress.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { atOneMoment } from '../../../db/one-moment.ts';
import type { Tasking } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { equationsOf } from '../agree.ts';
import { closedDayAnswer, closedDayOutput } from '../closed-day-answer.ts';
import {
  type ClosedDay,
  findClosedDay,
  findWrongBalance,
  findWrongBalanceOfCells,
  insertClosedBalances,
  insertClosedDay,
  listClosedDays,
  readPendingThen,
} from '../closed-day-store.ts';
import { dayAfter, endOfDay } from '../days.ts';
import { sumMoved } from '../ledger-store.ts';
import { readReport } from '../report-store.ts';
import { catchUp } from '../roll-up.ts';
import { lockRollUp, readCheckpoint, readClock } from '../roll-up-store.ts';

export const closedDayFields = {
  day: { ...dayField, description: 'a day such as 2026-11-21, in Lagos' },
  environment: oneOf(environments, { default: 'live' }),
};

export const closeDayOperation = defineOperation({
  name: 'day.close',
  kind: 'task',
  summary: 'close a day: freeze its report with a hash, once it is rolled up and agrees with the ledger',
  roles: treasurers,
  route: 'POST /days/{day}/close',
  isLong: true,
  document: 'operators/reports.md',
  input: inputOf(closedDayFields),
  output: Type.Object({ ...closedDayOutput.properties, changed: Type.Boolean() }),
  run: async ({ database, actor, onProgress }: Tasking & { readonly onProgress?: OnProgress }, chosen) => {
    const { closed, changed } = await closeDay(database, chosen, actor, onProgress);
    return { ...closedDayAnswer(closed), changed };
  },
});

/**
 * How long after its end a day can be closed: transactions of purchases are cancelled after half a
 * minute.
 */
const AFTER_END_MS = 5 * 60_000;

type DayToClose = { readonly environment: Environment; readonly day: string };

/**
 * Closes a day. `changed` is false if it was closed before. Throws OperationError `day_not_over`,
 * `day_out_of_order`, `day_before_first`, `day_still_written`, `day_disagrees`.
 */
export async function closeDay(
  database: Database,
  chosen: DayToClose,
  actor: Actor,
  onProgress?: OnProgress,
): Promise<{ readonly closed: ClosedDay; readonly changed: boolean }> {
  const before = await closedOrNext(database, chosen);
  if (before !== undefined) return { closed: before, changed: false };
  const rolledUpTo = await catchUp(database, {
    withinMs: Number.POSITIVE_INFINITY,
    ...(onProgress && { onProgress }),
  });
  requireRolledUp(chosen.day, rolledUpTo);
  return await database.transaction((tx) => closeIn(database, tx, chosen, actor), { patient: true });
}

async function closeIn(
  database: Database,
  tx: Tx,
  chosen: DayToClose,
  actor: Actor,
): Promise<{ readonly closed: ClosedDay; readonly changed: boolean }> {
  const { environment, day } = chosen;
  // The lock stops the roll-up until the day is closed.
  await lockRollUp(tx, { waits: true }, database.cells && 'roll_up_of_cells');
  // Another process may have closed it while this one waited for the lock.
  const before = await closedOrNext(tx, chosen);
  if (before !== undefined) return { closed: before, changed: false };
  requireRolledUp(day, await readCheckpoint(tx));
  await requireAgreement(database, tx, chosen);
  const pending = await readPendingThen(tx, environment, day);
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

/**
 * Returns the day if it is closed; undefined if it is the next day to close. Throws for any other
 * day.
 */
async function closedOrNext(
  sql: Pick<Database, 'query'> | Tx,
  chosen: DayToClose,
): Promise<ClosedDay | undefined> {
  const refusal = await refuseNext(sql, chosen);
  // Looked up last, because another process may have closed it at this moment.
  const closed = await findClosedDay(sql, chosen.environment, chosen.day);
  if (closed === undefined && refusal !== undefined) throw refusal;
  return closed;
}

/**
 * Returns why a day cannot be closed; undefined for the next day in order that has been over for
 * some minutes by the database's clock.
 */
async function refuseNext(
  sql: Pick<Database, 'query'> | Tx,
  { environment, day }: DayToClose,
): Promise<OperationError | undefined> {
  const closableAt = new Date(endOfDay(day).getTime() + AFTER_END_MS);
  if ((await readClock(sql)) < closableAt)
    return new OperationError({ code: 'day_not_over', day, closableAt });
  const [last] = await listClosedDays(sql, environment, { before: undefined, limit: 1 });
  if (last === undefined) return undefined;
  const next = dayAfter(last.day);
  if (day < next) return new OperationError({ code: 'day_before_first', day, next });
  if (day > next) return new OperationError({ code: 'day_out_of_order', day, next });
  return undefined;
}

function requireRolledUp(day: string, rolledUpTo: Date): void {
  if (rolledUpTo < endOfDay(day))
    throw new OperationError({ code: 'day_still_written', day, since: rolledUpTo });
}

/**
 * Requires that purchases agree with the ledger, and the transfers of each account with its
 * balance.
 */
async function requireAgreement(database: Database, tx: Tx, { environment, day }: DayToClose): Promise<void> {
  const days = { environment, from: day, to: day };
  const totals = await readReport(tx, days, [], { after: undefined, limit: 100 });
  const wrong = equationsOf(totals, await sumMoved(tx, days)).find(({ sold, booked }) => sold !== booked);
  if (wrong !== undefined) throw new OperationError({ code: 'day_disagrees', day, ...wrong });
  const account =
    database.cells === undefined
      ? await findWrongBalance(tx)
      : await atOneMoment(database, database.cells, async () => undefined, findWrongBalanceOfCells);
  if (account !== undefined)
    throw new OperationError({ code: 'day_disagrees', day, what: account.account, ...account });
}
