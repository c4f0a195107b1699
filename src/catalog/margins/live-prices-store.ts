/** Reads and changes everything that live prices and costs depend on. */

import type { Rate } from '../../core/exchange.ts';
import type { Currency } from '../../core/money.ts';
import { kindsOf, productRecords } from '../../core/products/registry.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { listUsedRules } from '../../merchants/prices/price-list-store.ts';
import { indexRules } from '../../merchants/prices/price-rule.ts';
import type { KnownCost } from './expected-cost.ts';
import type { BuyerPrices, LivePrices, PricedPlan, PricedRoute } from './find-losses.ts';

type PlanRow = Omit<PricedPlan, 'amount' | 'planKind' | 'providers'> & {
  readonly amount: bigint | null;
  readonly planKind: string | null;
  readonly providers: readonly string[];
};

/** Reads the prices and costs of everything on sale to live credentials. */
export async function readLivePrices(sql: Sql): Promise<LivePrices> {
  const costs = await listKnownCosts(sql, 'live');
  const byAmount = costs.flatMap(({ product, network, planCode }): PricedPlan[] => {
    const kind = kindsOf(product).find((one, index) => planCode === (index === 0 ? '' : one));
    const isByAmount = planCode === '' || kind !== undefined;
    return isByAmount ? [{ product, network, planKind: kind, ...anyAmount, planCode }] : [];
  });
  const distinct = new Map(
    byAmount.map((plan) => [`${plan.product}/${plan.network}/${plan.planCode}`, plan]),
  );
  return {
    costs,
    plans: [...distinct.values(), ...(await listPricedPlans(sql))],
    lists: await listBuyerPrices(sql),
    rates: await readRates(sql),
    routes: await readLiveRoutes(sql),
  };
}

const anyAmount = {
  currency: 'NGN',
  amount: undefined,
  isFixed: false,
  providers: undefined,
} as const;

export async function listKnownCosts(
  sql: Sql,
  environment: 'live' | 'test' | undefined,
): Promise<KnownCost[]> {
  return await sql.query<KnownCost>(
    `select environment, product, network, provider, plan_code as "planCode", currency, amount, cost
     from known_costs
     where $1::text is null or environment = $1
     order by environment, product, network, provider, plan_code`,
    [environment ?? null],
  );
}

/**
 * Lists the plans on sale. The price of a card depends on its value; other plans have one price.
 */
async function listPricedPlans(sql: Sql): Promise<PricedPlan[]> {
  const rows = await sql.query<PlanRow>(
    `select
       product,
       network,
       kind as "planKind",
       plan_code as "planCode",
       'NGN' as currency,
       price as amount,
       price is not null as "isFixed",
       array(select jsonb_object_keys(provider_codes)) as providers
     from plans
     where active
     union all
     select $1, $1, null, plan_id::text, currency, face_value, false, array(select jsonb_object_keys(provider_codes))
     from gift_card_plans
     where active
     and not test_only
     union all
     select $2, $2, null, plan_id, currency, price, true, array(select jsonb_object_keys(provider_codes))
     from esim_plans
     where active
     and not test_only`,
    [productWith('giftcard'), productWith('esim')],
  );
  return rows.map(({ amount, planKind, ...row }) => ({
    ...row,
    amount: amount ?? undefined,
    planKind: planKind ?? undefined,
  }));
}

function productWith(plans: 'giftcard' | 'esim'): string | undefined {
  return productRecords.find((record) => record.plans === plans)?.name;
}

async function listBuyerPrices(sql: Sql): Promise<BuyerPrices[]> {
  const versions = Map.groupBy(await listUsedRules(sql), ({ list, version, merchant }) =>
    merchant === undefined ? `${list} version ${version}` : merchant,
  );
  return [...versions].map(([buyer, rules]) => ({ buyer, rules: indexRules(rules) }));
}

async function readRates(sql: Sql): Promise<Map<Currency, Rate>> {
  const rows = await sql.query<Rate & { readonly currency: Currency }>(
    `select distinct on (currency)
       currency,
       rate_micro as "rateMicro",
       margin_basis_points as "marginBasisPoints"
     from fx_rates
     order by currency, id desc`,
  );
  return new Map(rows.map(({ currency, ...rate }) => [currency, rate]));
}

async function readLiveRoutes(sql: Sql): Promise<Map<string, PricedRoute>> {
  const rows = await sql.query<PricedRoute & { product: string; network: string; kind: string }>(
    `select
       product,
       network,
       kind,
       coalesce(
         -- A strategy that chooses may put any of them first.
         array_agg(provider order by position) filter (where share is not null or strategy <> 'order'),
         array_agg(provider order by position) filter (where position = 1)
       ) as first,
       array_agg(provider order by position) as providers
     from routes
     where environment = 'live'
     group by product, network, kind`,
  );
  return new Map(
    rows.map(({ product, network, kind, first, providers }) => [
      `${product}/${network}/${kind}`,
      { first, providers },
    ]),
  );
}

/** Deletes known costs. The next sale shows the current cost. */
export async function deleteKnownCosts(
  tx: Tx,
  place: {
    readonly environment: 'live' | 'test';
    readonly product: string;
    /** Undefined: every network. */
    readonly network: string | undefined;
    /** Undefined: every plan. */
    readonly planCodes: readonly string[] | undefined;
  },
): Promise<number> {
  const rows = await tx.query(
    `delete from known_costs
     where environment = $1
     and product = $2
     and ($3::text is null or network = $3)
     and ($4::text[] is null or plan_code = any($4))
     returning 1 as deleted`,
    [place.environment, place.product, place.network ?? null, place.planCodes ?? null],
  );
  return rows.length;
}

/** Changes the known cost of a plan in proportion to the provider's new price. */
export async function followPrice(
  tx: Tx,
  change: {
    readonly provider: string;
    readonly product: string;
    readonly planCode: string;
    readonly price: bigint;
  },
): Promise<void> {
  await tx.query(
    `update known_costs
     set
       cost = (cost::numeric * $4 / amount)::bigint,
       amount = $4
     where environment = 'live'
     and provider = $1
     and product = $2
     and plan_code = $3
     and amount <> $4`,
    [change.provider, change.product, change.planCode, change.price],
  );
}

/** Stores a provider's listed prices as the cost of plans, in live. */
export async function upsertListedCosts(
  tx: Tx,
  provider: string,
  costs: readonly {
    readonly product: string;
    readonly network: string;
    readonly planCode: string;
    readonly price: bigint;
    readonly cost: bigint;
  }[],
): Promise<void> {
  await tx.query(
    `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
     select 'live', product, network, $2, plan_code, 'NGN', amount, cost, now()
     from unnest($1::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
       as listed(product, network, plan_code, amount, cost)
     where amount > 0
     on conflict (environment, product, network, provider, plan_code) do update
     set
       currency = excluded.currency,
       amount = excluded.amount,
       cost = excluded.cost,
       at = excluded.at`,
    [
      costs.map(({ product }) => product),
      provider,
      costs.map(({ network }) => network),
      costs.map(({ planCode }) => planCode),
      costs.map(({ price }) => price),
      costs.map(({ cost }) => cost),
    ],
  );
}
