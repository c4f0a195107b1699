/** The audit of prices: each charge follows from the price version stored with the purchase. */
import type { AuditCheck } from './audit-store.ts';

export const priceChecks: readonly AuditCheck[] = [
  {
    name: 'charge-by-list',
    over: 'slice',
    description:
      'A purchase that names a version of a price list was charged by a rule of it, which covers what was bought',
    differences: `
      select
        v.merchant_id,
        v.id as purchase,
        v.details->'priceList'->>'list' as list,
        v.details->'priceList'->>'version' as version,
        v.details->'priceList'->>'rule' as rule,
        v.charge,
        r.charge as by_rule
      from (
        select *, (details->'priceList'->>'cost')::bigint as expected
        from purchases
        where details ? 'priceList'
      ) v
      left join price_list_versions begun
        on begun.list = v.details->'priceList'->>'list'
        and begun.version = (v.details->'priceList'->>'version')::integer
        and begun.holds_from is not null
      left join price_list_rules rule
        on rule.list = begun.list
        and rule.version = begun.version
        and concat_ws('/', rule.product, rule.network, rule.kind, rule.plan_code) = v.details->'priceList'->>'rule'
      cross join lateral (
        select case
          when rule.price is not null then rule.price
          when rule.off is not null then v.face_value - v.face_value * rule.off / 10000
          else coalesce(v.expected + (v.expected * rule.margin + 9999) / 10000, v.face_value)
        end as charge
      ) plain
      cross join lateral (
        select least(v.face_value, (plain.charge + rule.round_to - 1) / rule.round_to * rule.round_to) as charge
      ) r
      where rule.list is null
      or rule.product not in ('*', v.product)
      or rule.network not in ('*', v.network)
      or rule.plan_code not in ('*', coalesce(v.plan_code, '*'))
      or v.charge <> r.charge`,
  },
];
