/** SQL of price lists: their versions, rules and merchants. */
import { invariant } from '../../core/errors.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { PriceRule, Pricing } from './price-rule.ts';

export type PriceListRow = {
  readonly list: string;
  readonly description: string;
  readonly created_at: Date;
  readonly archived_at: Date | null;
};

export type PriceVersionRow = {
  readonly list: string;
  readonly version: number;
  /** Null: a draft. */
  readonly holds_from: Date | null;
  readonly created_by: string;
  readonly created_at: Date;
  /** It applies now. */
  readonly holds: boolean;
  /** It has begun, and can no longer be changed. */
  readonly begun: boolean;
};

type RuleRow = {
  readonly list: string;
  readonly version: number;
  readonly product: string;
  readonly network: string;
  readonly kind: string;
  readonly plan: string;
  readonly price: bigint | null;
  readonly off: number | null;
  readonly margin: number | null;
  readonly round_to: bigint;
};

/** A rule with the version that it belongs to. */
export type StoredRule = PriceRule & { readonly list: string; readonly version: number };

/** Returns the name of the list of a merchant's own discounts. */
export function ownList(merchantCode: string): string {
  return `own:${merchantCode}`;
}

const listColumns = 'list, description, created_at, archived_at';

/** False when the name is taken. */
export async function insertPriceList(tx: Tx, list: string, description = ''): Promise<boolean> {
  const rows = await tx.query(
    `insert into price_lists (list, description)
     values ($1, $2)
     on conflict (list) do nothing
     returning list`,
    [list, description],
  );
  return rows.length > 0;
}

/** Finds a list and locks it until the transaction ends. Lists are locked after merchants. */
export async function lockPriceList(tx: Tx, list: string): Promise<PriceListRow | undefined> {
  const [row] = await tx.query<PriceListRow>(
    `select ${listColumns}
     from price_lists
     where list = $1
     for update`,
    [list],
  );
  return row;
}

export async function findPriceList(sql: Sql, list: string): Promise<PriceListRow | undefined> {
  const [row] = await sql.query<PriceListRow>(
    `select ${listColumns}
     from price_lists
     where list = $1`,
    [list],
  );
  return row;
}

export type ListedPriceList = PriceListRow & {
  /** The version that applies now. */
  readonly holds: number | null;
  readonly versions: number;
  readonly merchants: number;
};

/** Lists the lists for any merchant by name, after the name `after`. */
export async function listPriceLists(
  sql: Sql,
  { archived, after, limit }: { readonly archived: boolean; readonly after: string; readonly limit: number },
): Promise<ListedPriceList[]> {
  return await sql.query<ListedPriceList>(
    `select
       ${listColumns},
       (
         select v.version
         from price_list_versions v
         where v.list = l.list
         and v.holds_from <= now()
         order by v.holds_from desc
         limit 1
       ) as holds,
       (select count(*)::integer from price_list_versions v where v.list = l.list) as versions,
       (select count(*)::integer from merchants m where m.price_list = l.list) as merchants
     from price_lists l
     where l.list > $2
     and l.list not like 'own:%'
     and ($1 or l.archived_at is null)
     order by l.list
     limit $3`,
    [archived, after, limit],
  );
}

export async function archivePriceList(tx: Tx, list: string): Promise<void> {
  await tx.query(
    `update price_lists
     set archived_at = now()
     where list = $1`,
    [list],
  );
}

/** Lists the versions of a list, the newest first. */
export async function listVersions(sql: Sql, list: string): Promise<PriceVersionRow[]> {
  return await sql.query<PriceVersionRow>(
    `select
       list,
       version,
       holds_from,
       created_by,
       created_at,
       holds_from is not distinct from max(holds_from) filter (where holds_from <= now()) over ()
         and holds_from is not null as holds,
       coalesce(holds_from <= now(), false) as begun
     from price_list_versions
     where list = $1
     order by version desc`,
    [list],
  );
}

/** Stores a draft with its rules. The list must be locked. Returns the number of the version. */
export async function insertVersion(
  tx: Tx,
  list: string,
  rules: readonly PriceRule[],
  createdBy: string,
): Promise<number> {
  const [row] = await tx.query<{ version: number }>(
    `insert into price_list_versions (list, version, created_by)
     select $1, coalesce(max(version), 0) + 1, $2
     from price_list_versions
     where list = $1
     returning version`,
    [list, createdBy],
  );
  invariant(row !== undefined, 'an insert of one row returns it');
  await tx.query(
    `insert into price_list_rules (list, version, product, network, kind, plan_code, price, off, margin, round_to)
     select $1, $2, r.*
     from unnest(
       $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::integer[], $9::integer[], $10::bigint[]
     ) as r`,
    [
      list,
      row.version,
      rules.map(({ product }) => product),
      rules.map(({ network }) => network),
      rules.map(({ kind }) => kind),
      rules.map(({ plan }) => plan),
      rules.map(({ pricing }) => (pricing.by === 'price' ? pricing.price : null)),
      rules.map(({ pricing }) => (pricing.by === 'off' ? pricing.off : null)),
      rules.map(({ pricing }) => (pricing.by === 'margin' ? pricing.margin : null)),
      rules.map(({ roundTo }) => roundTo),
    ],
  );
  return row.version;
}

/**
 * Sets from when a version applies. Absent: from now, and after every version that has begun. The
 * list must be locked. Undefined if the time has passed or another version begins then.
 */
export async function beginVersion(
  tx: Tx,
  list: string,
  version: number,
  from: Date | undefined,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ holds_from: Date }>(
    `with begin as (
       select coalesce(
         $3::timestamptz,
         greatest(
           date_trunc('milliseconds', clock_timestamp()),
           max(holds_from) filter (where holds_from <= clock_timestamp()) + interval '1 millisecond'
         )
       ) as at
       from price_list_versions
       where list = $1
     )
     update price_list_versions v
     set holds_from = begin.at
     from begin
     where v.list = $1
     and v.version = $2
     and ($3 is null or $3 > clock_timestamp())
     and not exists (
       select 1
       from price_list_versions other
       where other.list = $1
       and other.holds_from = begin.at
     )
     returning v.holds_from`,
    [list, version, from ?? null],
  );
  return row?.holds_from;
}

/**
 * Makes a version a draft again. False if it has begun, or begins within a minute: gateways begin
 * it by their own clocks, and learn that it was withdrawn only after the commit.
 */
export async function withdrawVersion(tx: Tx, list: string, version: number): Promise<boolean> {
  const rows = await tx.query(
    `update price_list_versions
     set holds_from = null
     where list = $1
     and version = $2
     and holds_from > clock_timestamp() + interval '1 minute'
     returning 1`,
    [list, version],
  );
  return rows.length > 0;
}

const ruleColumns =
  'r.list, r.version, r.product, r.network, r.kind, r.plan_code as plan, r.price, r.off, r.margin, r.round_to';

/** Lists the rules of versions, in the order of their places. */
export async function listRules(
  sql: Sql,
  versions: readonly { readonly list: string; readonly version: number }[],
): Promise<StoredRule[]> {
  const rows = await sql.query<RuleRow>(
    `select ${ruleColumns}
     from price_list_rules r
     join unnest($1::text[], $2::integer[]) as wanted(list, version)
       on wanted.list = r.list
       and wanted.version = r.version
     order by r.list, r.version, r.product, r.network, r.kind, r.plan_code`,
    [versions.map(({ list }) => list), versions.map(({ version }) => version)],
  );
  return rows.map(toRule);
}

/** Lists the rules of the version of a list that applies at a time; absent: now. */
export async function listHeldRules(sql: Sql, list: string, at?: Date): Promise<StoredRule[]> {
  const rows = await sql.query<RuleRow>(
    `select ${ruleColumns}
     from price_list_rules r
     where r.list = $1
     and r.version = (
       select v.version
       from price_list_versions v
       where v.list = $1
       and v.holds_from <= coalesce($2, clock_timestamp())
       order by v.holds_from desc
       limit 1
     )
     order by r.product, r.network, r.kind, r.plan_code`,
    [list, at ?? null],
  );
  return rows.map(toRule);
}

/** Lists the versions of a list that apply now or begin later, in the order of their times. */
export async function listUsedVersions(sql: Sql, list: string): Promise<number[]> {
  const rows = await sql.query<{ version: number }>(
    `select version
     from price_list_versions
     where list = $1
     and holds_from >= (
       select coalesce(max(held.holds_from), '-infinity')
       from price_list_versions held
       where held.list = $1
       and held.holds_from <= now()
     )
     order by holds_from`,
    [list],
  );
  return rows.map(({ version }) => version);
}

export type UsedRule = StoredRule & {
  /** The merchant whose own list it is; undefined for a list of any number of merchants. */
  readonly merchant: string | undefined;
};

/** Lists the rules that determine merchants' prices now or later. */
export async function listUsedRules(sql: Sql): Promise<UsedRule[]> {
  const rows = await sql.query<RuleRow & { readonly merchant: string | null }>(
    `select ${ruleColumns}, used.merchant
     from (
       select price_list as list, null as merchant
       from merchants
       where price_list is not null
       union
       select 'own:' || code, code
       from merchants
       where price_list is null
     ) as used
     join price_list_versions v on v.list = used.list
     join price_list_rules r
       on r.list = v.list
       and r.version = v.version
     where v.holds_from >= (
       select coalesce(max(held.holds_from), '-infinity')
       from price_list_versions held
       where held.list = v.list
       and held.holds_from <= now()
     )
     order by r.list, r.version`,
  );
  return rows.map((row) => ({ ...toRule(row), merchant: row.merchant ?? undefined }));
}

/** Tells whether any version that may apply needs the costs of providers. */
export async function hasMarginRules(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ has: boolean }>(
    `select exists (
       select 1
       from price_list_rules r
       join price_list_versions v
         on v.list = r.list
         and v.version = r.version
       where r.margin is not null
       and v.holds_from is not null
     ) as has`,
  );
  return row?.has ?? false;
}

function toRule({ price, off, margin, round_to: roundTo, ...place }: RuleRow): StoredRule {
  return { ...place, pricing: toPricing({ price, off, margin }), roundTo };
}

function toPricing({ price, off, margin }: Pick<RuleRow, 'price' | 'off' | 'margin'>): Pricing {
  if (price !== null) return { by: 'price', price };
  if (off !== null) return { by: 'off', off };
  invariant(margin !== null, 'a rule has one pricing');
  return { by: 'margin', margin };
}

/** Lists the codes of the merchants of a list. */
export async function listMembers(sql: Sql, list: string): Promise<string[]> {
  const rows = await sql.query<{ code: string }>(
    `select code
     from merchants
     where price_list = $1
     order by lower(code)`,
    [list],
  );
  return rows.map(({ code }) => code);
}

/** Assigns a merchant to a list, or to its own discounts. */
export async function updatePriceList(tx: Tx, merchantId: number, list: string | null): Promise<void> {
  await tx.query(
    `update merchants
     set price_list = $2
     where id = $1`,
    [merchantId, list],
  );
}
