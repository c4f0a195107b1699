/** The money of a distributed installation, as its cells and its coordinator state it. */
import type { Sql } from '../../src/db/database.ts';

export type Money = {
  /** Nothing is pending, and the coordinator has everything that the cells left for it. */
  readonly isSettled: boolean;
  /** Wallets whose state differs from their transfers and pending purchases. */
  readonly wrongWallets: readonly string[];
  /** Credits less debits of the transfers of all cells, by house account. */
  readonly moved: ReadonlyMap<string, bigint>;
  /** Balances of house accounts at the coordinator. */
  readonly house: ReadonlyMap<string, bigint>;
  /** Balances of the same accounts in the reports. */
  readonly reported: ReadonlyMap<string, bigint>;
  /** Merchants whose events of purchases are not in the order of their transfers. */
  readonly disordered: number;
};

type Sum = { id: bigint; sum: bigint };

export async function readMoney(coordinator: Sql, cells: readonly Sql[]): Promise<Money> {
  const house = await coordinator.query<Sum>(`
    select account_id as id, sum(balance)::bigint as sum
    from (
      select account_id, balance from house_balances
      union all
      select account_id, delta from house_deltas
    ) b
    group by account_id`);
  const reported = await coordinator.query<Sum>(`
    select b.account_id as id, b.balance as sum
    from report_balances b
    join accounts a on a.id = b.account_id
    where a.kind <> 'wallet'`);
  const wrongWallets: string[] = [];
  const moved = new Map<string, bigint>();
  let left = 0;
  let disordered = 0;
  for (const cell of cells) {
    for (const { id, sum } of await cell.query<Sum>(movedStatement)) {
      moved.set(String(id), (moved.get(String(id)) ?? 0n) + sum);
    }
    for (const { id } of await cell.query<{ id: bigint }>(wrongStatement)) wrongWallets.push(`wallet ${id}`);
    const [row] = await cell.query<{ left: number; disordered: number }>(leftStatement);
    left += row?.left ?? 0;
    disordered += row?.disordered ?? 0;
  }
  const money = { wrongWallets, moved, house: byId(house), reported: byId(reported), disordered };
  return { ...money, isSettled: left === 0 && isSame(money.moved, money.reported) };
}

/** One line for each difference. */
export function compareMoney({ wrongWallets, moved, house, reported, disordered }: Money): string[] {
  const accounts = [...new Set([...moved.keys(), ...house.keys()])];
  return [
    ...wrongWallets.map((wallet) => `${wallet}: its state differs from its transfers`),
    ...accounts
      .filter((id) => (moved.get(id) ?? 0n) !== (house.get(id) ?? 0n))
      .map((id) => `account ${id}: ${house.get(id)} at the coordinator, ${moved.get(id)} in transfers`),
    ...(isSame(moved, reported) ? [] : ['reports differ from transfers']),
    ...(disordered === 0 ? [] : [`${disordered} purchases have a transfer with an id below an earlier one`]),
  ];
}

function byId(rows: readonly Sum[]): ReadonlyMap<string, bigint> {
  return new Map(rows.map(({ id, sum }) => [String(id), sum]));
}

function isSame(one: ReadonlyMap<string, bigint>, other: ReadonlyMap<string, bigint>): boolean {
  const ids = new Set([...one.keys(), ...other.keys()]);
  return [...ids].every((id) => (one.get(id) ?? 0n) === (other.get(id) ?? 0n));
}

const legs = `
  select debit_account_id as id, -amount as amount, merchant_id from transfers
  union all
  select credit_account_id, amount, merchant_id from transfers`;

const movedStatement = `
  select l.id, sum(l.amount)::bigint as sum
  from (${legs}) l
  join accounts a on a.id = l.id
  where a.kind <> 'wallet'
  group by l.id`;

const wrongStatement = `
  select w.account_id as id
  from wallets w
  where w.posted <> coalesce((select sum(l.amount) from (${legs}) l where l.id = w.account_id), 0)
  or w.held <> coalesce((select sum(p.charge) from pending_purchases p where p.wallet_id = w.account_id), 0)`;

const leftStatement = `
  select
    (
      (select count(*) from pending_purchases)
      + (select count(*) from house_deltas)
      + (select count(*) from alarms where ended_at is null)
      + (select count(*) from audit_log)
    )::integer as left,
    (
      select count(*)::integer
      from (
        select created_at, lag(created_at) over (partition by merchant_id order by id) as before
        from transfers
        where merchant_id <> 0
        and code in ('purchase_cost')
      ) t
      where t.created_at < t.before
    ) as disordered`;
