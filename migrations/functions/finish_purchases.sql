-- Ends the purchases that these answers decide: removes the pending row, stores the outcome, posts
-- the transfers, and releases the hold, in one statement. An answer ends its purchase if it is
-- final, is about the current attempt, and is not a failure that an earlier answer contradicts.
-- Returns the ordinals of these answers, and whether any of them has side effects
-- (resolve_side_effects). Part of resolve_purchases, with its settings and locks.
--
-- Each answer must be about a different purchase. p_chosen: the ordinals of the answers to process;
-- null: all.
create or replace function finish_purchases(
  p_items resolve_item[], p_chosen integer[], p_wallet_ids bigint[], out done integer[], out aside boolean
)
language plpgsql
as $$
#variable_conflict use_column
declare
  -- Whether any purchase failed, or succeeded without a transfer: each of these stores an event.
  v_tells boolean;
begin
  with finished as (
    -- Reads a row as last committed. A claim takes no wallet's lock, and may be making the
    -- purchase's next attempt at this moment.
    delete from pending_purchases p
    using unnest(p_items) as i
    where (p_chosen is null or i.ordinal = any(p_chosen))
    and i.effect in ('succeed', 'fail')
    -- Each row by its key, whatever the statistics say. With "=", a planner that last saw an empty
    -- queue would read the whole index, including its dead entries.
    and p.merchant_id = any(array[i.merchant_id])
    and p.purchase_id = any(array[i.purchase_id])
    and p.attempts = i.attempt
    and (
      i.effect = 'succeed'
      or (p.delivered_attempt is null and (i.reason is distinct from 'not_found' or not p.acknowledged))
    )
    returning p.wallet_id, p.charge, p.delivers, p.recipient, i.*
  ),
  -- One time for each purchase and its transfers, so that they belong to one day. It is read in
  -- this statement, after the tables are locked: the roll-up waits for the holders of these locks,
  -- and would miss a row with an earlier time.
  booked as materialized (
    select booking_time() as at
  ),
  final as (
    insert into purchase_outcomes (
      merchant_id, environment, purchase_id, status, reason, telco_message, provider, cost, goods, network, recipient, cost_estimated, at,
      attempt, answer_source, answer_kind, answer_code, answer_message, answer_provider_id, answer_latency_ms
    )
    select
      merchant_id,
      environment,
      purchase_id,
      case effect when 'succeed' then 'success' else 'failed' end,
      reason,
      telco_message,
      provider,
      cost,
      goods,
      -- The columns that lists filter by.
      network,
      recipient,
      -- For a success the flag says whether the provider did not report the cost.
      case effect when 'succeed' then flag end,
      at,
      attempt, source, kind, code, message, provider_id, latency_ms
    from finished
    cross join booked
  ),
  moved as materialized (
    select f.merchant_id, f.purchase_id, t.code, t.debit, t.credit, t.amount
    from finished f
    cross join lateral unnest(f.transfers) as t
  ),
  posted as (
    insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount, created_at)
    select merchant_id, purchase_id, code, debit, credit, amount, at
    from moved
    cross join booked
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
    select merchant_id, environment, network, case effect when 'succeed' then 'success' else 'failed' end as status, count(*)
    from finished
    group by 1, 2, 3, 4
  ),
  released as (
    select wallet_id, sum(charge)::bigint as charge
    from finished
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
    coalesce(array_agg(ordinal), '{}'),
    coalesce(bool_or(delivers or coalesce(goods_missing, false) or sealed is not null or voucher is not null), false),
    bool_or(effect = 'fail' or coalesce(cardinality(transfers), 0) = 0)
  into done, aside, v_tells
  from finished;

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
    where i.ordinal = any(done)
    and (i.effect = 'fail' or coalesce(cardinality(i.transfers), 0) = 0);

    -- A failed purchase returns its amount to the cap of the day on which it was accepted.
    update credential_spending s
    set spent = s.spent - c.amount
    from (
      select c.merchant_id, c.key_id, c.day, sum(c.amount)::bigint as amount
      from unnest(p_items) as i
      join capped_purchases c
        on c.merchant_id = i.merchant_id
        and c.purchase_id = i.purchase_id
      where i.ordinal = any(done)
      and i.effect = 'fail'
      group by c.merchant_id, c.key_id, c.day
    ) as c
    where s.merchant_id = c.merchant_id
    and s.key_id = c.key_id
    and s.day = c.day;
    if found then
      delete from capped_purchases c
      using unnest(p_items) as i
      where i.ordinal = any(done)
      and i.effect = 'fail'
      and c.merchant_id = i.merchant_id
      and c.purchase_id = i.purchase_id;
    end if;
  end if;
end
$$;
