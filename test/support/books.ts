/**
 * Compares the two sides after a disaster: the deliveries in the provider's own books, and the
 * gateway's purchases. Returns a sentence for every difference; none means that both agree.
 */

import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import type { Database } from '../../src/db/database.ts';
import { signNombaCallback } from '../../src/providers/nomba/callback.ts';
import { signReloadlyCallback } from '../../src/providers/reloadly/callback.ts';
import { until } from './processes.ts';

/** A line of the provider's books. */
export type Delivery = {
  readonly provider: string;
  readonly reference: string;
  readonly product: string;
  readonly recipient: string;
  readonly amount: string;
  /** Of the amount, if it is not in naira. */
  readonly currency?: string;
  readonly delivered_at: string;
};

/** A live purchase in the gateway's records. */
export type StoredPurchase = {
  readonly id: string;
  readonly merchant_id: number;
  readonly reference: string;
  readonly product: string;
  readonly recipient: string;
  /** Kobo. */
  readonly face_value: bigint;
  readonly charge: bigint;
  readonly mode: string;
  readonly status: 'success' | 'failed' | 'pending';
  readonly reason: string | null;
  /** Our references at the provider, one for each attempt. */
  readonly attempts: readonly string[];
};

export async function readBooks(simulatorUrl: string): Promise<Delivery[]> {
  const text = await (await fetch(`${simulatorUrl}/books`)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Delivery);
}

export async function readLivePurchases(database: Database): Promise<StoredPurchase[]> {
  return await database.query<StoredPurchase>(`
    select
      v.id,
      v.merchant_id,
      v.reference,
      v.product,
      v.recipient,
      v.face_value,
      v.charge,
      v.mode,
      coalesce(o.status, 'pending') as status,
      o.reason,
      array(
        select a.reference
        from attempts a
        where a.merchant_id = v.merchant_id
        and a.purchase_id = v.id
        order by a.number
      ) as attempts
    from purchases v
    left join purchase_outcomes o
      on o.merchant_id = v.merchant_id
      and o.purchase_id = v.id
    where v.environment = 'live'
    order by v.created_at`);
}

/**
 * The purchases that are not final, as text, for the message of a test that waits for them without
 * success.
 */
async function describePending(database: Database): Promise<string> {
  const rows = await database.query(`
    select
      v.reference,
      v.mode,
      p.step,
      p.attempts,
      p.queries,
      p.not_found,
      p.owner,
      p.owner in (select id from gateways) as owner_lives,
      extract(epoch from now() - p.created_at)::integer as age_s,
      extract(epoch from p.due_at - now())::integer as due_in_s,
      array(
        select s.source || ' ' || s.kind || ' ' || s.code || ' at ' || extract(epoch from s.at - p.created_at)::integer
        from provider_answers s
        where s.merchant_id = p.merchant_id
        and s.purchase_id = p.purchase_id
        order by s.at
      ) as answers
    from pending_purchases p
    join purchases v
      on v.merchant_id = p.merchant_id
      and v.environment = p.environment
      and v.id = p.purchase_id
    order by p.created_at
    limit 10`);
  return rows.map(spell).join('\n');
}

async function countPending(database: Database): Promise<number> {
  const [row] = await database.query<{ count: bigint }>('select count(*) as count from pending_purchases');
  return Number(row?.count ?? 0n);
}

/**
 * Resolves when every purchase is final. Rejects, listing them, when some are late. With a
 * gateway's address, it sends hints about pending purchases like a provider's callbacks, so that no
 * purchase waits minutes for the next query.
 */
export async function untilNothingPending(
  database: Database,
  withinMs: number,
  gatewayUrl?: string,
): Promise<void> {
  let hintAt = performance.now() + HINT_MS;
  const look = async (): Promise<boolean> => {
    if ((await countPending(database)) === 0) return true;
    if (gatewayUrl !== undefined && performance.now() > hintAt) {
      await hint(database, gatewayUrl);
      hintAt = performance.now() + HINT_MS;
    }
    return false;
  };
  await until('every purchase is final', withinMs, look).catch(async (error: Error) => {
    throw new Error(`${error.message}; pending:\n${await describePending(database)}`);
  });
}

const HINT_MS = 2_500;

async function hint(database: Database, gatewayUrl: string): Promise<void> {
  const pending = await database.query<{ provider: string; reference: string }>(`
    select
      a.provider,
      a.reference
    from pending_purchases p
    join attempts a
      on a.merchant_id = p.merchant_id
      and a.purchase_id = p.purchase_id
      and a.number = p.attempts
    -- A wait that ends early does not count towards the grace.
    where p.not_found = 0`);
  for (const { provider, reference } of pending) {
    const { headers, body } = callbackOf(provider, reference);
    const answer = await fetch(`${gatewayUrl}/hooks/${provider}`, { method: 'POST', headers, body });
    await answer.body?.cancel();
  }
}

type Callback = { readonly body: string; readonly headers: Record<string, string> };

/**
 * A callback like those of the simulated provider, signed with the keys that it and the demo's
 * gateway share.
 */
function callbackOf(provider: string, reference: string): Callback {
  switch (provider) {
    case 'nomba': {
      const body = { event_type: 'payout_success', data: { transaction: { merchantTxRef: reference } } };
      const timestamp = new Date().toISOString();
      const signature = signNombaCallback(body, timestamp, 'simulator-signature-key');
      const headers = { 'nomba-timestamp': timestamp, 'nomba-signature': signature };
      return { body: JSON.stringify(body), headers };
    }
    case 'reloadly': {
      const event = { type: 'giftcard_transaction.status', data: { customIdentifier: reference } };
      const body = JSON.stringify(event);
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = signReloadlyCallback(body, timestamp, 'simulator-signing-secret');
      const headers = { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': timestamp };
      return { body, headers };
    }
    default:
      return {
        body: JSON.stringify({ type: 'transaction-update', data: { requestId: reference } }),
        headers: {},
      };
  }
}

/** Lists differences between books and purchases. No purchase may be pending. */
export function compareBooks(
  deliveries: readonly Delivery[],
  purchases: readonly StoredPurchase[],
): string[] {
  const wrong: string[] = [];
  const ordered = new Map(
    purchases.flatMap((purchase) => purchase.attempts.map((reference) => [reference, purchase])),
  );
  const received = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const purchase = ordered.get(delivery.reference);
    if (purchase === undefined) {
      wrong.push(`delivered, but no attempt is on record: ${delivery.reference}`);
      continue;
    }
    received.set(purchase.id, [...(received.get(purchase.id) ?? []), delivery]);
    if (
      delivery.product !== purchase.product ||
      delivery.recipient.slice(-10) !== purchase.recipient.slice(-10) ||
      // Goods in another currency have a face value in naira only at the gateway.
      (delivery.currency === undefined && BigInt(delivery.amount.replace('.', '')) !== purchase.face_value)
    ) {
      wrong.push(`not what was ordered: ${describe(purchase)} got ${JSON.stringify(delivery)}`);
    }
  }
  for (const purchase of purchases) {
    const times = received.get(purchase.id)?.length ?? 0;
    if (purchase.status === 'pending') wrong.push(`not final: ${describe(purchase)}`);
    if (times > 1) wrong.push(`delivered ${times} times: ${describe(purchase)}`);
    if (purchase.status === 'success' && times === 0)
      wrong.push(`success without delivery: ${describe(purchase)}`);
    if (purchase.status === 'failed' && times > 0) wrong.push(`delivered, but failed: ${describe(purchase)}`);
  }
  return wrong;
}

function describe(purchase: StoredPurchase): string {
  const { reference, mode, product, status, reason, attempts } = purchase;
  return `${reference} (${mode} ${product}, ${status} ${reason ?? ''}, attempts ${attempts.join(' ')})`;
}

/**
 * Lists errors in the money of the live wallets when no purchase is pending, by a computation that
 * is independent of the audit's.
 */
async function compareMoney(database: Database, purchases: readonly StoredPurchase[]): Promise<string[]> {
  const wallets = await database.query<Wallet>(`
    select
      w.merchant_id,
      m.code,
      w.posted,
      w.held,
      (
        select coalesce(sum(t.amount), 0)::bigint
        from transfers t
        where t.credit_account_id = w.account_id
      ) as credited
    from wallets w
    join merchants m on m.id = w.merchant_id
    where w.environment = 'live'
    and w.currency = 'NGN'`);
  const wrong: string[] = [];
  const ofMerchants = Map.groupBy(purchases, (purchase) => purchase.merchant_id);
  for (const { merchant_id, code, posted, held, credited } of wallets) {
    const successes = (ofMerchants.get(merchant_id) ?? []).filter(({ status }) => status === 'success');
    const charged = successes.reduce((total, { charge }) => total + charge, 0n);
    ofMerchants.delete(merchant_id);
    if (held !== 0n) wrong.push(`${held} kobo of ${code} are still held`);
    if (credited - posted !== charged) {
      wrong.push(`${credited - posted} kobo left the wallet of ${code}, successes were charged ${charged}`);
    }
  }
  for (const merchantId of ofMerchants.keys()) wrong.push(`merchant ${merchantId} has no live wallet`);
  return wrong;
}

type Wallet = {
  readonly merchant_id: number;
  readonly code: string;
  readonly posted: bigint;
  readonly held: bigint;
  readonly credited: bigint;
};

/** The differences that `oja audit` finds. */
export async function auditDifferences(database: Database): Promise<string[]> {
  const { checks } = await auditPurchases(database);
  return checks
    .filter((check) => !check.ok)
    .map((check) => `audit ${check.name}: ${check.count} like ${spell(check.differences[0])}`);
}

function spell(row: unknown): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Everything that must hold once no purchase is pending: books, money and audit. */
export async function differences(database: Database, simulatorUrl: string): Promise<string[]> {
  const purchases = await readLivePurchases(database);
  return [
    ...compareBooks(await readBooks(simulatorUrl), purchases),
    ...(await compareMoney(database, purchases)),
    ...(await auditDifferences(database)),
  ];
}

/** The number of purchases by outcome, as text. */
export function outcomes(purchases: readonly StoredPurchase[]): string {
  const counts = new Map<string, number>();
  for (const { status, reason } of purchases) {
    const name = `${status} ${reason ?? ''}`.trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}
