-- Accepts a batch of purchases in one transaction: a verdict for each, in arrival order.
--
-- verdict: accepted | refused | insufficient | over_purchase_cap | over_daily_cap | duplicate |
-- voucher_gone | no_wallet. An item that already has a refusal (its customer was rejected before
-- anything was sent) is stored as a failed purchase and moves no money. For `duplicate`, the status
-- and the id of the first purchase are returned too. A caller that finds its own id there has
-- repeated a batch whose answer was lost. An item with a voucher is paid from the voucher. An item
-- whose voucher cannot be redeemed is not stored (redeem_voucher).
--
-- An item that is `capped` is counted against the caps of its credential (spend_within_caps), and
-- stored as failed if it would exceed one: `status` then contains the cap and the rest of it.
--
-- Every path that moves a wallet's money locks the wallet first, in account order. So batches of
-- several processes never deadlock. All purchases of a merchant in one environment take this lock,
-- so an idempotency key that is not visible under the lock is free.
create or replace function accept_purchases(p_items accept_item[], p_wallet_ids bigint[], p_owner uuid)
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
  item record;
  v_capped record;
  v_wallet bigint;
  v_available bigint;
  -- The amount available in each wallet of p_wallet_ids, in the same order; null if the wallet does
  -- not exist.
  v_availables bigint[];
  v_verdicts text[] := array[]::text[];
  v_first uuid[] := array[]::uuid[];
  v_statuses text[] := array[]::text[];
  -- Whether any item is delivered to its customer.
  v_delivers boolean;
  -- Whether every item is new, is a plain purchase, and can be paid together with all others.
  v_plain boolean;
begin
  if cardinality(p_items) = 0 then
    return array[]::text[];
  end if;

  perform 1
  from wallet_owners
  where account_id = any(p_wallet_ids)
  order by account_id
  for update;

  -- Usually all items can be accepted. Then no item is processed individually.
  select
    -- A wallet that does not exist has nothing available.
    bool_and(w.plain and coalesce(w.charge <= s.posted - s.held - s.floor, false)),
    bool_or(w.delivers)
  into v_plain, v_delivers
  from (
    select
      i.wallet_id,
      sum(i.charge) as charge,
      bool_or(i.delivery is not null) as delivers,
      bool_and(v.id is null and i.refusal is null and i.voucher is null and not i.capped)
        and count(distinct i.reference) = count(*) as plain
    from unnest(p_items) as i
    left join purchases v
      on v.merchant_id = i.merchant_id
      and v.environment = i.environment
      and v.reference = i.reference
    group by i.wallet_id
  ) as w
  left join lateral wallet_state(w.wallet_id) s on true;

  if v_plain then
    v_verdicts := array_fill('accepted'::text, array[cardinality(p_items)]);
  else
    select array_agg(w.posted - w.held - w.floor order by p.position)
    into v_availables
    from unnest(p_wallet_ids) with ordinality as p(wallet_id, position)
    left join lateral wallet_state(p.wallet_id) w on true;

    -- Verdicts, in arrival order for each wallet.
    for item in
      select
        i.ordinal,
        i.merchant_id,
        i.environment,
        i.id,
        i.reference,
        i.wallet_id,
        i.charge,
        i.refusal,
        i.voucher,
        i.capped,
        i.credential_id,
        v.id as known_id,
        o.status as known_status,
        first_value(i.id) over same_key as first_id,
        first_value(i.ordinal) over same_key as first_ordinal,
        row_number() over same_key as nth
      from unnest(p_items) as i
      left join purchases v
        on v.merchant_id = i.merchant_id
        and v.environment = i.environment
        and v.reference = i.reference
      left join purchase_outcomes o
        on o.merchant_id = v.merchant_id
        and o.purchase_id = v.id
      window same_key as (partition by i.merchant_id, i.environment, i.reference order by i.ordinal)
      order by i.wallet_id, i.ordinal
    loop
      if v_wallet is distinct from item.wallet_id then
        v_wallet := item.wallet_id;
        v_available := v_availables[array_position(p_wallet_ids, item.wallet_id)];
      end if;
      continue when v_available is null;
      v_first[item.ordinal] := coalesce(item.known_id, item.first_id);
      if item.known_id is not null then
        v_verdicts[item.ordinal] := 'duplicate';
        v_statuses[item.ordinal] := coalesce(item.known_status, 'pending');
      elsif item.nth > 1 and v_verdicts[item.first_ordinal] <> 'voucher_gone' then
        v_verdicts[item.ordinal] := 'duplicate';
        v_statuses[item.ordinal] := case v_verdicts[item.first_ordinal] when 'accepted' then 'pending' else 'failed' end;
      elsif item.refusal is not null then
        v_verdicts[item.ordinal] := 'refused';
      elsif item.voucher is not null then
        -- The voucher adds to the wallet the amount that the order will hold, so the available
        -- balance does not change.
        v_verdicts[item.ordinal] := case
          when redeem_voucher(
            item.merchant_id, item.environment, item.id, item.reference, item.wallet_id, item.charge, item.voucher
          ) then 'accepted'
          else 'voucher_gone'
        end;
      elsif item.charge > v_available then
        v_verdicts[item.ordinal] := 'insufficient';
      else
        v_verdicts[item.ordinal] := 'accepted';
        if item.capped then
          v_capped := spend_within_caps(item.merchant_id, item.credential_id, item.id, item.charge);
          v_verdicts[item.ordinal] := v_capped.verdict;
          v_statuses[item.ordinal] := v_capped.cap || ' ' || v_capped.rest;
        end if;
        if v_verdicts[item.ordinal] = 'accepted' then
          v_available := v_available - item.charge;
        end if;
      end if;
    end loop;
  end if;

  with item as materialized (
    select *
    from unnest(p_items) as i
    where v_verdicts[i.ordinal] not in ('duplicate', 'voucher_gone')
  ),
  stored as (
    insert into purchases (
      merchant_id, environment, id, reference, product, network, plan_code, msisdn, recipient, face_value, charge, wallet_id, mode,
      route, details, credential_id, created_at, attempt_reference, attempt_account
    )
    select
      merchant_id, environment, id, reference, product, network, plan_code, msisdn, recipient, face_value, charge, wallet_id, mode,
      route, details,
      (select c.id from credentials c where c.merchant_id = item.merchant_id and c.key_id = item.credential_id),
      created_at,
      -- A purchase that failed has no attempt.
      case when v_verdicts[ordinal] = 'accepted' then attempt_reference end,
      case when v_verdicts[ordinal] = 'accepted' then attempt_account end
    from item
  ),
  pending as (
    insert into pending_purchases (
      merchant_id, environment, purchase_id, wallet_id, charge, step, due_at, owner, attempts, delivers, provider, awaited, network,
      recipient
    )
    select
      merchant_id,
      environment,
      id,
      wallet_id,
      charge,
      case when attempt_reference is null then 'send' else 'query' end,
      case when attempt_reference is null then now() end,
      case when attempt_reference is not null then p_owner end,
      case when attempt_reference is null then 0 else 1 end,
      delivery is not null,
      split_part(route, ',', 1),
      mode <> 'async',
      network,
      recipient
    from item
    where v_verdicts[ordinal] = 'accepted'
  ),
  counted as (
    insert into purchase_count_deltas (merchant_id, environment, network, status, count)
    select merchant_id, environment, network, s.status, count(*)
    from item
    join (values ('accepted'), ('failed')) as s(status)
      on s.status = 'accepted' or v_verdicts[ordinal] <> 'accepted'
    group by merchant_id, environment, network, s.status
  )
  insert into wallet_states
  select n.*
  from (
    select wallet_id, sum(charge)::bigint as charge
    from item
    where v_verdicts[ordinal] = 'accepted'
    group by wallet_id
  ) as taken
  cross join lateral next_wallet_state(taken.wallet_id, 0, taken.charge) n;

  -- Few items need the following. It has SQL statements of its own, because each part of a
  -- statement costs time in every batch, even without rows.
  if v_verdicts && array['refused', 'insufficient', 'over_purchase_cap', 'over_daily_cap'] then
    insert into purchase_outcomes (
      merchant_id, environment, purchase_id, status, reason, telco_message, goods, network, recipient
    )
    select
      i.merchant_id,
      i.environment,
      i.id,
      'failed',
      case v_verdicts[i.ordinal]
        when 'refused' then i.refusal
        when 'insufficient' then 'insufficient_funds'
        else v_verdicts[i.ordinal]
      end,
      i.telco_message,
      case
        when v_verdicts[i.ordinal] in ('over_purchase_cap', 'over_daily_cap') then
          jsonb_build_object(
            'cap', split_part(v_statuses[i.ordinal], ' ', 1),
            'left', split_part(v_statuses[i.ordinal], ' ', 2)
          )
      end,
      i.network,
      i.recipient
    from unnest(p_items) as i
    where v_verdicts[i.ordinal] in ('refused', 'insufficient', 'over_purchase_cap', 'over_daily_cap');

    -- Under the lock of the wallet, so that positions have the order of commits.
    insert into events (merchant_id, environment, id, type, purchase_id, position)
    select i.merchant_id, i.environment, i.id, 'purchase.failed', i.id, nextval('transfers_id_seq')
    from unnest(p_items) as i
    where v_verdicts[i.ordinal] in ('refused', 'insufficient', 'over_purchase_cap', 'over_daily_cap');
  end if;

  if v_delivers then
    insert into deliveries (merchant_id, environment, purchase_id, channel, destination, hint)
    select i.merchant_id, i.environment, i.id, i.delivery->>'channel', i.delivery->>'sealed', i.delivery->>'hint'
    from unnest(p_items) as i
    where v_verdicts[i.ordinal] = 'accepted'
    and i.delivery is not null;
  end if;

  if v_plain then
    return v_verdicts;
  end if;
  return array(
    select concat_ws(
      ' ', coalesce(v_verdicts[n], 'no_wallet'), v_statuses[n], case v_verdicts[n] when 'duplicate' then v_first[n] end
    )
    from generate_series(1, cardinality(p_items)) as n
    order by n
  );
end
$$;
