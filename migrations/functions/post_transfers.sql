-- Posts the transfers of one subject. They move money of the wallet p_wallet_id, which the caller
-- has locked, and of house accounts. Without a wallet, only house accounts move. The caller defines
-- the transfers (src/wallet/ledger/chart-of-accounts.ts).
create or replace function post_transfers(p_merchant_id integer, p_wallet_id bigint, p_subject_id uuid, p_memo text, p_transfers json)
returns void
language plpgsql
as $$
begin
  with moved as materialized (
    select t.code, t.debit, t.credit, t.amount
    from json_to_recordset(p_transfers) as t(code text, debit bigint, credit bigint, amount bigint)
  ),
  posted as (
    insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount, memo)
    select p_merchant_id, p_subject_id, m.code, m.debit, m.credit, m.amount, coalesce(p_memo, '')
    from moved m
  ),
  leg as materialized (
    select l.account_id, sum(l.delta)::bigint as delta
    from (
      select m.debit as account_id, -m.amount as delta from moved m
      union all
      select m.credit, m.amount from moved m
    ) as l
    group by l.account_id
  ),
  house as (
    insert into house_deltas (account_id, delta)
    select l.account_id, l.delta
    from leg l
    where l.account_id is distinct from p_wallet_id
    and l.delta <> 0
  )
  insert into wallet_states
  select n.*
  from leg l
  cross join lateral next_wallet_state(l.account_id, l.delta, 0) n
  where l.account_id = p_wallet_id;
end
$$;
