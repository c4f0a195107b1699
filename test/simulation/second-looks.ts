/**
 * A day after a success its provider is queried again. A reversal must then raise an alarm, and
 * moves no money.
 */
import { RECHECK_AGES } from '../../src/purchases/rechecks/recheck-successes.ts';
import type { Buyer } from '../purchases/fixture.ts';
import type { Installation } from './installation.ts';
import type { Processes } from './processes.ts';
import type { BookedOrder } from './provider-book.ts';
import { panelName } from './scripted-panel.ts';
import { providerNames } from './scripted-provider.ts';
import { silentPanelName } from './silent-panel.ts';
import type { StoredPurchase } from './stored-purchases.ts';

const DAY_MS = 24 * 3_600_000;
const SECOND_MS = 1_000;
/** A recheck waits until no other work needs the provider. */
const ROUNDS_MAX = 5;

type Success = { readonly purchase: StoredPurchase; readonly finalAtMs: number; readonly order: BookedOrder };

/** Moves time forward by days. Returns the errors found. */
export async function recheckSuccesses(
  installation: Installation,
  processes: Processes,
  buyer: Buyer,
  purchases: readonly StoredPurchase[],
  /** The ids of the purchases that a person settled. */
  settled: ReadonlySet<string>,
): Promise<string[]> {
  const wrong: string[] = [];
  // A panel is queried by the id of the deciding record, and a person's decision has none. Its list
  // does not help if the database's clock was set.
  const known = purchases.filter(({ id, attempts }) => !(settled.has(id) && isOfPanel(attempts)));
  for (const { purchase, order, finalAtMs } of listTakenBack(installation, known)) {
    await passDay(installation, order, finalAtMs);
    await placeLooks(installation, order, finalAtMs);
    await lookOnce(processes);
    if (!order.takenBack) wrong.push(`${purchase.reference}: its provider was not asked once more`);
    else if (!(await isTold(installation, buyer, purchase))) {
      wrong.push(`${purchase.reference}: nobody was told that it was taken back`);
    }
  }
  return wrong;
}

function isOfPanel(attempts: readonly string[]): boolean {
  return attempts.at(-1)?.startsWith(`${panelName}-`) ?? false;
}

/** Purchases that their providers will reverse, in the order of their success. */
function listTakenBack({ book }: Installation, purchases: readonly StoredPurchase[]): Success[] {
  const found = purchases.flatMap((purchase): Success[] => {
    const order = book.find(purchase.attempts.at(-1) ?? '');
    if (order === undefined || purchase.status !== 'success' || purchase.final_at_ms === null) return [];
    const { script, state, lied, takenBack } = order;
    // Their queries return another answer, or none.
    const isOther =
      order.provider === silentPanelName || script.forgets || script.reception === 'delivers something else';
    const isDue = script.takesBack && state === 'delivered' && !lied && !takenBack && !isOther;
    return isDue ? [{ purchase, finalAtMs: purchase.final_at_ms, order }] : [];
  });
  return found.toSorted((one, other) => one.finalAtMs - other.finalAtMs);
}

/** By the clock of the database, and by the provider's own. */
async function passDay(
  { time, server, steps }: Installation,
  order: BookedOrder,
  finalAtMs: number,
): Promise<void> {
  const databaseMs = finalAtMs - (time.nowMs + server.aheadMs);
  const providerMs = order.arrivedAtMs - time.elapsedMs;
  await steps.pass(Math.max(0, Math.max(databaseMs, providerMs) + DAY_MS + SECOND_MS));
}

/** Just before the success, as if nothing else had been sold: rechecks advance by minutes. */
async function placeLooks({ server }: Installation, order: BookedOrder, finalAtMs: number): Promise<void> {
  await server.run(() =>
    server.database.query(
      `insert into success_rechecks (provider, age_minutes, last_at, due_at)
       select name, age, $2::timestamptz, case when name = $3 and age = 1440 then now() end
       from unnest($1::text[]) as name
       cross join unnest($4::integer[]) as age
       on conflict (provider, age_minutes) do update
       set
         last_at = excluded.last_at,
         last_merchant_id = 0,
         last_purchase_id = '00000000-0000-0000-0000-000000000000',
         due_at = excluded.due_at,
         lease_id = null,
         tries = 0`,
      [[...providerNames, panelName], new Date(finalAtMs - SECOND_MS), order.provider, RECHECK_AGES],
    ),
  );
}

async function lookOnce(processes: Processes): Promise<void> {
  const { purchases } = await processes.need(0);
  let isDone = false;
  const looking = purchases.background.recheckSuccesses().finally(() => {
    isDone = true;
  });
  looking.catch(() => undefined);
  for (let round = 0; round < ROUNDS_MAX && !isDone; round += 1) {
    await processes.drain();
    if (!isDone) await processes.work(1);
  }
}

async function isTold(
  { server }: Installation,
  { merchantId }: Buyer,
  { id }: StoredPurchase,
): Promise<boolean> {
  const rows = await server.run(() =>
    server.database.query(
      `select 1
       from alarms
       where merchant_id = $1
       and purchase_id = $2
       and kind = 'contradiction'`,
      [merchantId, id],
    ),
  );
  return rows.length > 0;
}
