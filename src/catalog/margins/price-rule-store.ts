/** Stores price rules. */
import type { Sql, Tx } from '../../db/database.ts';
import type { PriceRule, PriceRulePlace } from './price-rule.ts';

export async function listPriceRules(sql: Sql): Promise<PriceRule[]> {
  return await sql.query<PriceRule>(`
    select product, network, kind, markup_basis_points as "markupBasisPoints", markup, round_to as "roundTo"
    from price_rules
    order by product, network, kind`);
}

export async function upsertPriceRule(tx: Tx, rule: PriceRule): Promise<void> {
  await tx.query(
    `insert into price_rules (product, network, kind, markup_basis_points, markup, round_to)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (product, network, kind) do update
     set
       markup_basis_points = excluded.markup_basis_points,
       markup = excluded.markup,
       round_to = excluded.round_to`,
    [rule.product, rule.network, rule.kind, rule.markupBasisPoints, rule.markup, rule.roundTo],
  );
}

/** Returns false if there was none. */
export async function deletePriceRule(tx: Tx, place: PriceRulePlace): Promise<boolean> {
  const rows = await tx.query(
    `delete from price_rules
     where product = $1
     and network = $2
     and kind = $3
     returning product`,
    [place.product, place.network, place.kind],
  );
  return rows.length > 0;
}
