-- The current state of a wallet. After a wait for the wallet's lock it must be read in a separate
-- statement: the statement that waited still sees the state before the wait.
create or replace function wallet_state(p_wallet_id bigint)
returns table(wallet_id bigint, seq bigint, posted bigint, held bigint, floor bigint, merchant_id integer)
language sql
stable
rows 1
as $$
  select s.wallet_id, s.seq, s.posted, s.held, s.floor, s.merchant_id
  from wallet_states s
  where s.wallet_id = p_wallet_id
  order by s.seq desc
  limit 1
$$;

-- The state of a wallet after a change, to be inserted. The wallet must be locked. Without a floor
-- of its own it keeps the current one. Every change of a wallet uses this function.
create or replace function next_wallet_state(p_wallet_id bigint, p_posted bigint, p_held bigint, p_floor bigint default null)
returns table(wallet_id bigint, seq bigint, posted bigint, held bigint, floor bigint, merchant_id integer)
language sql
stable
rows 1
as $$
  select s.wallet_id, s.seq + 1, s.posted + p_posted, s.held + p_held, coalesce(p_floor, s.floor), s.merchant_id
  from wallet_state(p_wallet_id) s
$$;
