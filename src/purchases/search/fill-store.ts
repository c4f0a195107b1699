/** The SQL that copies final purchases into `purchase_search`. */
import type { Tx } from '../../db/database.ts';

/** A name as `purchase_search_names` stores it. */
export function hashedName(value: string): string {
  return `substr(sha256(convert_to(${value}, 'UTF8')), 1, 8)`;
}

/** Copies the outcomes of a period. A row that exists already stays. */
export async function fillSpan(
  tx: Tx,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.query(
    `with final as materialized (
       select
         v.merchant_id,
         v.environment,
         v.id,
         v.product,
         v.network,
         o.provider,
         o.status,
         o.reason,
         v.face_value,
         v.recipient,
         v.attempt_reference,
         o.answer_provider_id,
         o.goods
       from purchase_outcomes o
       join purchases v
         on v.merchant_id = o.merchant_id
         and v.environment = o.environment
         and v.id = o.purchase_id
       where o.at >= $1
       and o.at < $2
     ),
     filled as (
       insert into purchase_search (merchant_id, environment, purchase_id, product, network, provider, status, reason,
         face_value, recipient)
       select merchant_id, environment, id, product, network, provider, status, reason, face_value, recipient
       from final
       order by id
       on conflict do nothing
     ),
     named as (
       select merchant_id, id, attempt_reference, answer_provider_id as name
       from final
       union all
       select f.merchant_id, f.id, f.attempt_reference, a.provider_id
       from final f
       join further_answers a
         on a.merchant_id = f.merchant_id
         and a.purchase_id = f.id
       union all
       select f.merchant_id, f.id, f.attempt_reference, f.goods->>token
       from final f
       cross join unnest(array['token', 'bonus_token', 'kct1', 'kct2']) as token
       where f.goods is not null
     )
     insert into purchase_search_names (merchant_id, purchase_id, name)
     select merchant_id, id, ${hashedName('name')}
     from named
     where name is not null
     -- A provider can use our own reference as its own, and that is found by the index of attempts.
     and name is distinct from attempt_reference
     on conflict do nothing`,
    [from, to],
  );
}
