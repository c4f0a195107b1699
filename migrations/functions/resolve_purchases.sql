-- Records a batch of answers about purchases and carries out what each decides, in one transaction.
-- A pending purchase becomes final only here. (accept_purchases stores a purchase that is refused
-- or cannot be paid as a failed purchase at once: it was never pending.)
--
-- effect: succeed | fail | wait (query again at due) | retry (may be sent again at due). verdict:
-- done | waiting | withheld (the answer would return the money or send the purchase again, although
-- a provider reported a delivery, or accepted the order that it now does not know: recorded,
-- flagged, kept pending) | repeat (already final, the same) | contradiction (already final, the
-- other way: refused, alarm raised) | stale (an answer about an attempt other than the current one,
-- or an answer without information about an attempt that may already be sent again, or one of
-- several in the batch that only wait: recorded without effect, with an alarm if it reports a
-- delivery) | absent (no such purchase).
--
-- A success whose goods are still missing (goods_missing) leaves a row in pending_fulfilments.
-- Goods that come later are added once, and then the row is deleted.
--
-- Resolving twice changes nothing: the primary key of purchase_outcomes allows one outcome for each
-- purchase, and only the batch that removes the pending row posts or releases its hold
-- (finish_purchases). The caller defines the transfers (src/wallet/ledger/chart-of-accounts.ts).
-- Only they move the wallet's money.
--
-- p_alone: each answer is about a different purchase. Returns a text for each answer, in their
-- order: the verdict, followed by the final status of the purchase if it has one. `done` has no
-- status.
create or replace function resolve_purchases(p_items resolve_item[], p_wallet_ids bigint[], p_alone boolean)
returns text[]
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
  -- The final status of an item that is not `done`.
  v_statuses text[];
  -- The ordinals of the items that ended their purchases.
  v_done integer[] := array[]::integer[];
  -- The ordinals of the further items that end their purchases.
  v_ends integer[];
  -- Whether any answer does more, or less, than end a purchase and bring its goods.
  v_aside boolean := false;
begin
  if cardinality(p_items) = 0 then
    return array[]::text[];
  end if;

  -- Locked also for answers that decide nothing. Batches change pending rows only under their
  -- wallet's lock, so they cannot deadlock on these rows.
  perform 1
  from wallet_owners
  where account_id = any(p_wallet_ids)
  order by account_id
  for update;

  -- Usually every answer ends its purchase.
  if p_alone then
    select f.done, f.aside
    into v_done, v_aside
    from finish_purchases(p_items, null, p_wallet_ids) as f;
  end if;

  if cardinality(v_done) = cardinality(p_items) then
    v_verdicts := array_fill('done'::text, array[cardinality(p_items)]);
    v_statuses := array[]::text[];
  else
    with item as (
      select
        i.*,
        row_number() over same_attempt as nth,
        first_value(i.effect) over same_attempt as first_effect,
        first_value(i.reason) over same_attempt as first_reason
      from unnest(p_items) as i
      where i.ordinal <> all(v_done)
      -- Of several answers about one attempt the first final one decides. Without a final one, an
      -- answer that the provider has the order decides, because a query is safer than a second
      -- sending. Proof that nothing was bought takes precedence over an answer without information.
      -- "Delivered" takes precedence over all: a refusal in the same batch does not end a purchase
      -- that waits for the goods of a success.
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
        case
          when p.purchase_id is null then o.status
          when first.withheld then null
          when p.attempts = item.attempt and item.nth > 1 then
            case item.first_effect when 'succeed' then 'success' when 'fail' then 'failed' end
        end as status,
        case
          when p.purchase_id is null then
            case
              when o.status is null then 'absent'
              -- Also a delivery whose goods are still missing.
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
          when first.withheld then case item.nth when 1 then 'withheld' else 'stale' end
          when item.nth > 1 then
            case
              when item.first_effect not in ('succeed', 'fail') then 'stale'
              when item.effect in ('succeed', 'fail') and item.effect <> item.first_effect then 'contradiction'
              else 'repeat'
            end
          when item.effect in ('succeed', 'fail') then 'done'
          -- The purchase will be sent again, on proof that nothing was bought. A query that ran
          -- meanwhile and brought no information has not refuted that proof.
          when p.step = 'send' and item.effect = 'wait' and item.kind in ('unknown', 'not_found') then 'stale'
          else 'waiting'
        end as verdict,
        -- Last, since most readers of a row need only its first columns, and a row is read from its
        -- start.
        item.*
      from item
      -- Locked, and so read as last committed. A claim takes no wallet's lock, and may be making
      -- the purchase's next attempt at this moment.
      left join lateral (
        select pv.purchase_id, pv.step, pv.attempts, pv.delivered_attempt, pv.acknowledged
        from pending_purchases pv
        where pv.merchant_id = item.merchant_id
        and pv.purchase_id = item.purchase_id
        for update
      ) p on true
      left join purchase_outcomes o
        on o.merchant_id = item.merchant_id
        and o.purchase_id = item.purchase_id
      -- Whether the first answer about the attempt is withheld, because a delivery or the order
      -- itself was reported before.
      cross join lateral (
        select
          case
            when item.first_effect not in ('fail', 'retry') then false
            when p.delivered_attempt is not null then true
            when item.first_effect = 'fail' and item.first_reason = 'not_found' and p.acknowledged then true
            -- Only needed for a refusal: whether the batch also contains the success of another
            -- attempt.
            else exists (
              select 1
              from unnest(p_items) as other
              where other.kind = 'success'
              and other.merchant_id = item.merchant_id
              and other.purchase_id = item.purchase_id
              and other.attempt <> item.attempt
            )
          end as withheld
      ) as first
    ),
    answered as (
      insert into further_answers (merchant_id, purchase_id, attempt, source, kind, code, message, provider_id, latency_ms)
      select j.merchant_id, j.purchase_id, j.attempt, j.source, j.kind, j.code, j.message, j.provider_id, j.latency_ms
      from judged j
      -- The answer that decides is stored with the outcome.
      where j.verdict not in ('absent', 'done')
    )
    select
      array_agg(coalesce(j.verdict, 'done') order by i.ordinal),
      array_agg(j.status order by i.ordinal),
      array_agg(j.ordinal) filter (where j.verdict = 'done'),
      v_aside or bool_or(j.verdict <> 'done')
    into v_verdicts, v_statuses, v_ends, v_aside
    from unnest(p_items) as i
    left join judged j on j.ordinal = i.ordinal;

    if v_ends is not null then
      select f.done, v_aside or f.aside
      into v_done, v_aside
      from finish_purchases(p_items, v_ends, p_wallet_ids) as f;
      if cardinality(v_done) <> cardinality(v_ends) then
        raise exception 'a purchase that had to end did not';
      end if;
    end if;
  end if;

  if v_aside then
    perform resolve_side_effects(p_items, v_verdicts, v_statuses);
  end if;

  if cardinality(v_statuses) = 0 then
    return v_verdicts;
  end if;
  return array(
    select concat_ws(' ', v_verdicts[n], v_statuses[n])
    from generate_subscripts(v_verdicts, 1) as n
    order by n
  );
end
$$;
