-- Records a batch of answers about purchases, and does what each of them decides, in one
-- transaction. Every purchase that was pending becomes final here and nowhere else.
-- (accept_purchases stores a purchase that is refused or cannot be paid as a failed purchase at
-- once: it was never pending.)
--
-- effect: succeed | fail | wait (ask again at due) | retry (may be sent again at due). verdict:
-- done | waiting | withheld (money would go back, or the purchase be sent again, although a
-- provider said that it delivered, or took the order that it now does not know: recorded, flagged,
-- kept waiting) | repeat (already final, the same) | contradiction (already final, the other way:
-- refused, alarm raised) | stale (an answer about an attempt that is not the one that counts, or
-- one that tells nothing of an attempt that may be sent again already, or one of several in the
-- batch that only wait: recorded, nothing done, and an alarm where it speaks of a delivery) |
-- absent (no such purchase).
--
-- A success whose goods are still missing (goods_missing) leaves a row in pending_fulfilments.
-- Goods that come later are added once, and then the row is deleted.
--
-- Resolving twice changes nothing: the primary key of purchase_outcomes allows one outcome for each
-- purchase, and only the batch that removes the pending row posts or releases its hold. The caller
-- names the transfers (src/wallet/ledger/chart-of-accounts.ts). Nothing else moves a wallet's
-- money.
create or replace function resolve_purchases(p_items resolve_item[], p_wallet_ids bigint[])
returns table (ordinal integer, verdict text, status text)
language plpgsql
-- PostgreSQL caches the plans of a function. A plan that was made while the tables were small must
-- not scan or hash a whole table later.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_verdicts text[];
  v_statuses text[];
  -- Whether any answer does more, or less, than to end a purchase and bring its goods.
  v_aside boolean;
  -- Whether any purchase failed, or succeeded without a transfer: these leave an event.
  v_tells boolean;
begin
  if cardinality(p_items) = 0 then
    return;
  end if;

  -- Locked also for answers that decide nothing. Batches change pending rows only under their
  -- wallet's lock, and so cannot deadlock on these rows.
  perform 1
  from wallet_owners
  where account_id = any(p_wallet_ids)
  order by account_id
  for update;

  with item as (
    select
      i.*,
      row_number() over same_attempt as nth,
      first_value(i.effect) over same_attempt as first_effect,
      first_value(i.reason) over same_attempt as first_reason
    from unnest(p_items) as i
    -- Of several answers about one attempt the first final one decides. Without a final one, the
    -- word that the provider has the order decides: a query is safer than a second sending. Proof
    -- that nothing was bought goes before an answer that tells nothing. "Delivered" goes before
    -- all: a purchase that waits for the goods of a success is not ended by a refusal beside it.
    window
      same_attempt as (
        partition by i.merchant_id, i.purchase_id, i.attempt
        order by
          case
            when i.kind = 'success' and i.effect = 'wait' then 0
            when i.effect in ('succeed', 'fail') then 1
            when i.effect = 'wait' and i.kind not in ('unknown', 'not_found') then 2
            when i.effect = 'retry' then 3
            else 4
          end,
          i.ordinal
      )
  ),
  judged as materialized (
    select
      p.wallet_id,
      p.charge,
      p.delivers,
      p.recipient,
      case
        when p.purchase_id is null then o.status
        when (item.first_effect in ('fail', 'retry') and (p.delivered_attempt is not null or exists (
            -- Only a refusal asks: whether the batch brings the success of another attempt as well.
            select 1
            from unnest(p_items) as other
            where other.kind = 'success'
            and other.merchant_id = item.merchant_id
            and other.purchase_id = item.purchase_id
            and other.attempt <> item.attempt
          )))
          or (p.acknowledged and item.first_effect = 'fail' and item.first_reason = 'not_found') then null
        when p.attempts = item.attempt and item.nth > 1 then
          case item.first_effect when 'succeed' then 'success' when 'fail' then 'failed' end
      end as status,
      case
        when p.purchase_id is null then
          case
            when o.status is null then 'absent'
            -- Also a delivery whose goods are still to come.
            when (item.effect in ('succeed', 'fail') or item.kind = 'success') and exists (
              select 1
              from provider_answers said
              where said.merchant_id = item.merchant_id
              and said.purchase_id = item.purchase_id
              and said.attempt <> item.attempt
              and said.kind = 'success'
            ) then 'stale'
            when o.status = 'success' and item.effect = 'fail' then 'contradiction'
            when o.status = 'failed' and item.kind = 'success' then 'contradiction'
            else 'repeat'
          end
        when p.attempts <> item.attempt then 'stale'
        when item.nth > 1 and (
          (item.first_effect in ('fail', 'retry') and (p.delivered_attempt is not null or exists (
            -- Only a refusal asks: whether the batch brings the success of another attempt as well.
            select 1
            from unnest(p_items) as other
            where other.kind = 'success'
            and other.merchant_id = item.merchant_id
            and other.purchase_id = item.purchase_id
            and other.attempt <> item.attempt
          )))
          or (p.acknowledged and item.first_effect = 'fail' and item.first_reason = 'not_found')
        ) then 'stale'
        when item.nth > 1 then
          case
            when item.first_effect not in ('succeed', 'fail') then 'stale'
            when item.effect in ('succeed', 'fail') and item.effect <> item.first_effect then 'contradiction'
            else 'repeat'
          end
        when item.effect in ('fail', 'retry') and (p.delivered_attempt is not null or exists (
            -- Only a refusal asks: whether the batch brings the success of another attempt as well.
            select 1
            from unnest(p_items) as other
            where other.kind = 'success'
            and other.merchant_id = item.merchant_id
            and other.purchase_id = item.purchase_id
            and other.attempt <> item.attempt
          )) then 'withheld'
        when item.effect = 'fail' and item.reason = 'not_found' and p.acknowledged then 'withheld'
        when item.effect in ('succeed', 'fail') then 'done'
        -- It is to be sent again, on proof that nothing was bought. Who asked meanwhile, and learnt
        -- nothing, has not refuted that.
        when p.step = 'send' and item.effect = 'wait' and item.kind in ('unknown', 'not_found') then 'stale'
        else 'waiting'
      end as verdict,
      -- Last, since most readers of a row need only its first columns, and a row is read from its
      -- start.
      item.*
    from item
    -- Locked, and so read as last committed. A claim takes no wallet's lock, and may be making the
    -- purchase's next attempt at this moment.
    left join lateral (
      select pv.purchase_id, pv.wallet_id, pv.charge, pv.step, pv.attempts, pv.delivers, pv.delivered_attempt, pv.acknowledged,
        pv.recipient
      from pending_purchases pv
      where pv.merchant_id = item.merchant_id
      and pv.purchase_id = item.purchase_id
      for update
    ) p on true
    left join purchase_outcomes o
      on o.merchant_id = item.merchant_id
      and o.purchase_id = item.purchase_id
  ),
  answered as (
    insert into further_answers (merchant_id, purchase_id, attempt, source, kind, code, message, provider_id, latency_ms)
    select j.merchant_id, j.purchase_id, j.attempt, j.source, j.kind, j.code, j.message, j.provider_id, j.latency_ms
    from judged j
    -- The answer that decides is stored with the outcome.
    where j.verdict not in ('absent', 'done')
  ),
  finished as (
    delete from pending_purchases p
    using judged j
    where j.verdict = 'done'
    -- Each by its key, whatever the statistics say. With "=", a planner that last saw an empty
    -- queue reads the whole index once instead, with all that is dead in it.
    and p.merchant_id = any(array[j.merchant_id])
    and p.purchase_id = any(array[j.purchase_id])
  ),
  -- One time for each purchase and its transfers, so that they belong to one day.
  booked as materialized (
    select booking_time() as at
  ),
  final as (
    insert into purchase_outcomes (
      merchant_id, environment, purchase_id, status, reason, telco_message, provider, cost, goods, network, recipient, cost_estimated, at,
      attempt, answer_source, answer_kind, answer_code, answer_message, answer_provider_id, answer_latency_ms
    )
    select
      j.merchant_id,
      j.environment,
      j.purchase_id,
      case j.effect when 'succeed' then 'success' else 'failed' end,
      j.reason,
      j.telco_message,
      j.provider,
      j.cost,
      j.goods,
      -- What lists are filtered by.
      j.network,
      j.recipient,
      -- Of a success the flag says whether its provider did not say the cost.
      case j.effect when 'succeed' then j.flag end,
      b.at,
      j.attempt, j.source, j.kind, j.code, j.message, j.provider_id, j.latency_ms
    from judged j
    cross join booked b
    where j.verdict = 'done'
  ),
  moved as materialized (
    select j.merchant_id, j.purchase_id, j.wallet_id, t.code, t.debit, t.credit, t.amount
    from judged j
    cross join lateral unnest(j.transfers) as t
    where j.verdict = 'done'
  ),
  posted as (
    insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount, created_at)
    select m.merchant_id, m.purchase_id, m.code, m.debit, m.credit, m.amount, b.at
    from moved m
    cross join booked b
  ),
  leg as materialized (
    select account_id, sum(delta)::bigint as delta
    from (
      select debit as account_id, -amount as delta from moved
      union all
      select credit, amount from moved
    ) as legs
    group by account_id
  ),
  house as (
    insert into house_deltas (account_id, delta)
    select account_id, delta
    from leg
    where account_id <> all(p_wallet_ids)
    and delta <> 0
  ),
  counted as (
    insert into purchase_count_deltas (merchant_id, environment, network, status, count)
    select j.merchant_id, j.environment, j.network, case j.effect when 'succeed' then 'success' else 'failed' end as status, count(*)
    from judged j
    where j.verdict = 'done'
    group by 1, 2, 3, 4
  ),
  released as (
    select wallet_id, sum(charge)::bigint as charge
    from judged
    where verdict = 'done'
    group by wallet_id
  ),
  settled as (
    insert into wallet_states
    select n.*
    from released
    left join leg on leg.account_id = released.wallet_id
    cross join lateral next_wallet_state(released.wallet_id, coalesce(leg.delta, 0), -released.charge) n
  )
  select
    array_agg(j.verdict order by j.ordinal),
    array_agg(
      case
        when j.verdict = 'done' then case j.effect when 'succeed' then 'success' else 'failed' end
        else j.status
      end
      order by j.ordinal
    ),
    bool_or(
      j.verdict <> 'done'
      or j.delivers
      or coalesce(j.goods_missing, false)
      or j.sealed is not null
      or j.voucher is not null
    ),
    bool_or(j.verdict = 'done' and (j.effect = 'fail' or coalesce(cardinality(j.transfers), 0) = 0))
  into v_verdicts, v_statuses, v_aside, v_tells
  from judged j;

  if v_tells then
    -- Under the lock of the wallet, so that positions have the order of commits.
    insert into events (merchant_id, environment, id, type, purchase_id, position)
    select
      i.merchant_id,
      i.environment,
      i.purchase_id,
      case i.effect when 'succeed' then 'purchase.succeeded' else 'purchase.failed' end,
      i.purchase_id,
      nextval('transfers_id_seq')
    from unnest(p_items) as i
    where v_verdicts[i.ordinal] = 'done'
    and (i.effect = 'fail' or coalesce(cardinality(i.transfers), 0) = 0);

    -- What failed gives its amount back to the day on which it was accepted.
    update credential_spending s
    set spent = s.spent - c.amount
    from (
      select c.merchant_id, c.key_id, c.day, sum(c.amount)::bigint as amount
      from unnest(p_items) as i
      join capped_purchases c
        on c.merchant_id = i.merchant_id
        and c.purchase_id = i.purchase_id
      where v_verdicts[i.ordinal] = 'done'
      and i.effect = 'fail'
      group by c.merchant_id, c.key_id, c.day
    ) as c
    where s.merchant_id = c.merchant_id
    and s.key_id = c.key_id
    and s.day = c.day;
    if found then
      delete from capped_purchases c
      using unnest(p_items) as i
      where v_verdicts[i.ordinal] = 'done'
      and i.effect = 'fail'
      and c.merchant_id = i.merchant_id
      and c.purchase_id = i.purchase_id;
    end if;
  end if;

  if v_aside then
    perform resolve_side_effects(p_items, v_verdicts, v_statuses);
  end if;

  return query
  select n, v_verdicts[n], v_statuses[n]
  from generate_series(1, cardinality(v_verdicts)) as n;
end
$$;
