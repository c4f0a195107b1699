-- Counts a purchase of a capped credential against its caps. A verdict other than `accepted` names
-- the cap that it would exceed, and nothing is counted: `cap` is that cap, and `rest` the amount
-- that could still be spent.
--
-- Part of accept_purchases, which has locked the wallet. The row of the day is locked as well, so
-- two purchases never exceed a cap even if a path forgets the wallet. The day's row is locked
-- first, then capped_purchases, as in resolve_purchases and where old days are deleted.
create or replace function spend_within_caps(
  p_merchant_id integer, p_credential_id text, p_purchase_id uuid, p_charge bigint,
  out verdict text, out cap bigint, out rest bigint
)
language plpgsql
as $$
declare
  v_caps record;
  v_spent bigint;
  v_day date := (clock_timestamp() at time zone 'Africa/Lagos')::date;
begin
  verdict := 'accepted';
  -- The current caps, whatever the process has cached.
  select c.purchase_cap, c.daily_cap, coalesce(c.spends_as, c.key_id) as key_id
  into v_caps
  from credentials c
  where c.key_id = p_credential_id;
  if coalesce(v_caps.purchase_cap, v_caps.daily_cap) is null then
    return;
  end if;
  if p_charge > v_caps.purchase_cap then
    verdict := 'over_purchase_cap';
    cap := v_caps.purchase_cap;
    rest := cap;
    return;
  end if;

  insert into credential_spending (merchant_id, key_id, day, spent)
  values (p_merchant_id, v_caps.key_id, v_day, 0)
  on conflict (merchant_id, key_id, day) do nothing;
  select s.spent
  into v_spent
  from credential_spending s
  where s.merchant_id = p_merchant_id
  and s.key_id = v_caps.key_id
  and s.day = v_day
  for update;
  if v_spent + p_charge > v_caps.daily_cap then
    verdict := 'over_daily_cap';
    cap := v_caps.daily_cap;
    -- A cap can be lowered below what is spent.
    rest := greatest(cap - v_spent, 0);
    return;
  end if;

  update credential_spending s
  set spent = s.spent + p_charge
  where s.merchant_id = p_merchant_id
  and s.key_id = v_caps.key_id
  and s.day = v_day;
  insert into capped_purchases (merchant_id, purchase_id, key_id, day, amount)
  values (p_merchant_id, p_purchase_id, v_caps.key_id, v_day, p_charge);
end
$$;
