/**
 * The figures of a day, added up here from the raw rows, independently of the gateway's reports.
 */
import type { Database } from '../../src/db/database.ts';

type RawOutcome = {
  readonly status: string;
  readonly provider: string | null;
  readonly merchant: string;
  readonly product: string;
  readonly kind: string | null;
  readonly face_value: bigint;
  readonly charge: bigint;
  readonly cost: bigint | null;
  readonly took_ms: number;
};

export type RawSums = {
  purchases: number;
  successes: number;
  failures: number;
  refused: number;
  face_value: bigint;
  charge: bigint;
  cost: bigint;
  loss: bigint;
  took_over_30s: number;
};

const none = (): RawSums => ({
  purchases: 0,
  successes: 0,
  failures: 0,
  refused: 0,
  face_value: 0n,
  charge: 0n,
  cost: 0n,
  loss: 0n,
  took_over_30s: 0,
});

const within =
  "between $1::date - interval '1 hour' and $1::date + interval '23 hours' - interval '1 microsecond'";

/** The sums of live purchases that became final on the day, by the key of `keyOf`. */
export async function rawSales(
  database: Database,
  day: string,
  keyOf: (outcome: RawOutcome) => string,
): Promise<Map<string, RawSums>> {
  const outcomes = await database.query<RawOutcome>(
    `select o.status, o.provider, m.code as merchant, v.product, v.details->>'kind' as kind, v.face_value, v.charge, o.cost,
       extract(epoch from o.at - v.created_at)::float8 * 1000 as took_ms
     from purchase_outcomes o
     join purchases v on v.merchant_id = o.merchant_id and v.id = o.purchase_id
     join merchants m on m.id = v.merchant_id
     where o.environment = 'live'
     and o.at at time zone 'UTC' ${within}`,
    [day],
  );
  const sums = new Map<string, RawSums>();
  for (const outcome of outcomes) {
    const key = keyOf(outcome);
    const sum = sums.get(key) ?? none();
    sums.set(key, sum);
    const isSuccess = outcome.status === 'success';
    const cost = outcome.cost ?? 0n;
    sum.purchases += 1;
    sum.successes += isSuccess ? 1 : 0;
    sum.failures += isSuccess ? 0 : 1;
    sum.refused += outcome.provider === null ? 1 : 0;
    sum.took_over_30s += outcome.provider !== null && outcome.took_ms > 30_000 ? 1 : 0;
    if (!isSuccess) continue;
    sum.face_value += outcome.face_value;
    sum.charge += outcome.charge;
    sum.cost += cost;
    sum.loss += cost > outcome.charge ? cost - outcome.charge : 0n;
  }
  return sums;
}

/** Credits less debits of each account over all transfers up to the end of the day, by code. */
export async function rawBalances(database: Database, day: string): Promise<Map<string, bigint>> {
  const transfers = await database.query<{ debit: string; credit: string; amount: bigint }>(
    `select d.code as debit, c.code as credit, t.amount
     from transfers t
     join accounts d on d.id = t.debit_account_id
     join accounts c on c.id = t.credit_account_id
     where d.environment = 'live'
     and t.created_at at time zone 'UTC' < $1::date + interval '23 hours'`,
    [day],
  );
  const balances = new Map<string, bigint>();
  for (const { debit, credit, amount } of transfers) {
    balances.set(debit, (balances.get(debit) ?? 0n) - amount);
    balances.set(credit, (balances.get(credit) ?? 0n) + amount);
  }
  return balances;
}

export async function rawRefunds(
  database: Database,
  day: string,
): Promise<{ readonly merchant: bigint; readonly provider: bigint }> {
  const rows = await database.query<{ kind: string; amount: bigint }>(
    `select kind, amount
     from purchase_refunds
     where environment = 'live'
     and at at time zone 'UTC' ${within}`,
    [day],
  );
  const sum = (kind: string): bigint =>
    rows.filter((row) => row.kind === kind).reduce((total, { amount }) => total + amount, 0n);
  return { merchant: sum('merchant'), provider: sum('provider') };
}
