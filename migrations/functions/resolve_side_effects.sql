-- The rarer part of resolve_purchases: purchases that continue, alarms, goods that are owed, come
-- later or are stored sealed, deliveries to customers, and vouchers. Runs in the transaction of
-- resolve_purchases, under the same locks, with the verdicts that it determined.
create or replace function resolve_side_effects(p_items resolve_item[], p_verdicts text[], p_statuses text[])
returns void
language plpgsql
-- As in resolve_purchases.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  paid record;
begin
  with judged as materialized (
    select
      i.*,
      p_verdicts[i.ordinal] as verdict,
      p_statuses[i.ordinal] as status
    from unnest(p_items) as i
  ),
  alarmed as (
    insert into alarms (kind, merchant_id, purchase_id, message)
    select
      case j.verdict
        when 'waiting' then 'overdue'
        when 'withheld' then 'overdue'
        when 'done' then 'pending_fulfilments'
        else j.verdict
      end,
      j.merchant_id,
      j.purchase_id,
      case j.verdict
        when 'contradiction' then format('the outcome is %s, but a %s reports %s (%s)', j.status, j.source, j.kind, j.code)
        when 'stale' then format('attempt %s is not the latest one, but a %s reports %s (%s)', j.attempt, j.source, j.kind, j.code)
        when 'withheld' then format('a %s reports %s (%s), but the provider reported success before; the hold stays', j.source, j.kind, j.code)
        when 'done' then 'the provider reported success but has not returned the goods yet; it is queried again'
        else
          case j.kind
            when 'success' then format('the provider delivered something other than what was ordered (%s); the hold stays', j.code)
            else
              case j.code
                when 'other_account' then 'it was bought with a provider account that is no longer configured; the hold stays'
                else 'the provider has returned no final answer; the hold stays'
              end
          end
      end
    from judged j
    -- While goods are queried every hour, one alarm until somebody has acknowledged it.
    where (j.verdict = 'contradiction' and not exists (
      select 1
      from pending_fulfilments owed
      join alarms raised
        on raised.merchant_id = owed.merchant_id
        and raised.purchase_id = owed.purchase_id
      where owed.merchant_id = j.merchant_id
      and owed.purchase_id = j.purchase_id
      and raised.kind = 'contradiction'
      and raised.acknowledged_at is null
    ))
    or (j.verdict = 'stale' and j.effect = 'succeed')
    -- Delivered by an attempt other than the current one, with its goods still missing.
    or (j.verdict = 'stale' and j.effect = 'wait' and j.kind = 'success' and not exists (
      select 1
      from pending_purchases p
      -- By its key, whatever the statistics say (resolve_purchases).
      where p.merchant_id = any(array[j.merchant_id])
      and p.purchase_id = any(array[j.purchase_id])
      and p.attempts = j.attempt
    ))
    or (j.verdict = 'waiting' and j.flag)
    or (j.verdict = 'withheld' and not exists (
      select 1
      from pending_purchases p
      -- By its key, whatever the statistics say (resolve_purchases).
      where p.merchant_id = any(array[j.merchant_id])
      and p.purchase_id = any(array[j.purchase_id])
      and p.flagged_at is not null
    ))
    or (j.verdict = 'done' and j.goods_missing)
    union all
    -- Once for each purchase, however often it is reported.
    select distinct on (j.merchant_id, j.purchase_id)
      'contradiction',
      j.merchant_id,
      j.purchase_id,
      format('attempt %s was reported as a success, but a %s reports %s (%s)', p.delivered_attempt, j.source, j.kind, j.code)
    from judged j
    join pending_purchases p
      -- By its key, whatever the statistics say (resolve_purchases).
      on p.merchant_id = any(array[j.merchant_id])
      and p.purchase_id = any(array[j.purchase_id])
    where j.verdict in ('waiting', 'withheld')
    and j.kind in ('failed', 'not_found')
    and p.delivered_attempt = j.attempt
    and p.contradicted_at is null
  ),
  owed as (
    insert into pending_fulfilments (merchant_id, environment, purchase_id, due_at)
    select j.merchant_id, j.environment, j.purchase_id, now() + j.due_ms * interval '1 millisecond'
    from judged j
    where j.verdict = 'done'
    and j.effect = 'succeed'
    and j.goods_missing
  ),
  arrived as (
    delete from pending_fulfilments l
    using judged j
    where j.verdict = 'repeat'
    and j.effect = 'succeed'
    and not j.goods_missing
    and l.merchant_id = j.merchant_id
    and l.purchase_id = j.purchase_id
    returning j.merchant_id, j.purchase_id, j.goods, j.sealed
  ),
  added as (
    insert into purchase_goods (merchant_id, purchase_id, goods)
    select merchant_id, purchase_id, goods
    from arrived
    where goods is not null
    on conflict (merchant_id, purchase_id) do nothing
  ),
  -- Partial goods are replaced by the complete ones.
  sealed_away as (
    insert into sealed_goods as s (merchant_id, purchase_id, key_id, sealed)
    select merchant_id, purchase_id, split_part(sealed, ':', 1), sealed
    from (
      select merchant_id, purchase_id, sealed
      from judged
      where verdict = 'done'
      and effect = 'succeed'
      and sealed is not null
      union all
      select merchant_id, purchase_id, sealed
      from arrived
      where sealed is not null
    ) as w
    on conflict (merchant_id, purchase_id) do update
    set
      key_id = excluded.key_id,
      sealed = excluded.sealed
  ),
  -- Goods are sent to a customer once the purchase is a success with its goods, and are not sent if
  -- it failed.
  to_deliver as (
    update deliveries d
    set
      state = case w.effect when 'succeed' then 'due' else 'cancelled' end,
      due_at = case w.effect when 'succeed' then now() end,
      updated_at = now()
    from (
      select merchant_id, purchase_id, effect
      from judged
      where verdict = 'done'
      and (effect = 'fail' or not goods_missing)
      union all
      select merchant_id, purchase_id, 'succeed'
      from arrived
    ) as w
    where d.merchant_id = w.merchant_id
    and d.purchase_id = w.purchase_id
    and d.state = 'waiting'
  ),
  asked as (
    update pending_fulfilments l
    -- A person must look at a contradiction, but the goods may still come. The lease stays: the
    -- process that queries may still give the goods up.
    set due_at = now() + coalesce(j.due_ms, 3600000) * interval '1 millisecond'
    from judged j
    where j.verdict in ('repeat', 'contradiction')
    and (j.effect <> 'succeed' or j.goods_missing)
    and l.merchant_id = j.merchant_id
    and l.purchase_id = j.purchase_id
    -- Goods that were given up are not queried again.
    and l.due_at is not null
  ),
  told as (
    insert into events (merchant_id, environment, id, type, purchase_id, position)
    select j.merchant_id, j.environment, gen_random_uuid(), 'purchase.overdue', j.purchase_id, nextval('transfers_id_seq')
    from judged j
    join pending_purchases p
      -- By its key, whatever the statistics say (resolve_purchases).
      on p.merchant_id = any(array[j.merchant_id])
      and p.purchase_id = any(array[j.purchase_id])
    where ((j.verdict = 'waiting' and j.flag) or j.verdict = 'withheld')
    and p.flagged_at is null
  )
  update pending_purchases p
  set
    step = case when j.verdict = 'waiting' and j.effect = 'retry' then 'send' else 'query' end,
    provider = case
      when j.verdict = 'waiting' and j.effect = 'retry' then coalesce(j.reason, p.provider)
      -- The row named the provider of the next attempt.
      when p.step = 'send' then j.provider
      else p.provider
    end,
    due_at = case j.verdict
      when 'withheld' then now() + interval '1 hour'
      else now() + j.due_ms * interval '1 millisecond'
    end,
    owner = null,
    -- A provider's answer about one attempt says nothing about the next one.
    queries = case
      when j.verdict = 'waiting' and j.effect = 'retry' then 0
      else p.queries + case j.source when 'query' then 1 else 0 end
    end,
    not_found = case
      when j.verdict = 'waiting' and j.effect = 'retry' then 0
      else p.not_found + case j.kind when 'not_found' then 1 else 0 end
    end,
    flagged_at = coalesce(p.flagged_at, case when j.flag or j.verdict = 'withheld' then now() end),
    delivered_attempt = coalesce(p.delivered_attempt, case j.kind when 'success' then j.attempt end),
    acknowledged = case
      when j.verdict = 'waiting' and j.effect = 'retry' then false
      else p.acknowledged or j.kind in ('accepted', 'success')
    end,
    contradicted_at = coalesce(
      p.contradicted_at,
      case when j.kind in ('failed', 'not_found') and p.delivered_attempt = j.attempt then now() end
    )
  from judged j
  where j.verdict in ('waiting', 'withheld')
  -- By its key, whatever the statistics say (resolve_purchases).
  and p.merchant_id = any(array[j.merchant_id])
  and p.purchase_id = any(array[j.purchase_id]);

  -- The success of an earlier attempt that came after the next attempt was made. No further attempt
  -- is made: the current one is queried until a person has handled the alarm.
  update pending_purchases p
  set
    delivered_attempt = i.attempt,
    step = 'query',
    provider = case
      when p.step = 'send' then coalesce(
        (
          select a.provider
          from attempts a
          where a.merchant_id = p.merchant_id
          and a.purchase_id = p.purchase_id
          and a.number = p.attempts
        ),
        p.provider
      )
      else p.provider
    end
  from unnest(p_items) as i
  where p_verdicts[i.ordinal] = 'stale'
  and i.kind = 'success'
  -- By its key, whatever the statistics say (resolve_purchases).
  and p.merchant_id = any(array[i.merchant_id])
  and p.purchase_id = any(array[i.purchase_id])
  and p.delivered_attempt is null;

  -- Orders that a voucher paid. A failed order returns the voucher. A success pays the rest of the
  -- voucher's value to the wallet.
  for paid in
    select i.merchant_id, i.environment, i.purchase_id, i.effect, i.voucher, v.wallet_id, v.reference
    from unnest(p_items) as i
    join purchases v
      on v.merchant_id = i.merchant_id
      and v.environment = i.environment
      and v.id = i.purchase_id
    where i.voucher is not null
    and p_verdicts[i.ordinal] = 'done'
    order by i.ordinal
  loop
    if paid.effect = 'fail' then
      update voucher_redemptions r
      set returned_at = now()
      where r.merchant_id = paid.merchant_id
      and r.purchase_id = paid.purchase_id;
    else
      -- The voucher is used up, because its order succeeded.
      insert into events (merchant_id, environment, id, type, purchase_id, facts, position)
      select
        paid.merchant_id,
        paid.environment,
        gen_random_uuid(),
        'voucher.redeemed',
        paid.purchase_id,
        jsonb_build_object('voucher', u.id, 'hint', u.hint, 'value', u.value::text),
        nextval('transfers_id_seq')
      from voucher_redemptions r
      join vouchers u
        on u.merchant_id = r.merchant_id
        and u.id = r.voucher_id
      where r.merchant_id = paid.merchant_id
      and r.purchase_id = paid.purchase_id;
    end if;
    perform post_transfers(
      paid.merchant_id, paid.wallet_id, (paid.voucher->>'settle_id')::uuid, paid.reference, paid.voucher->'transfers'
    );
  end loop;
end
$$;
