-- Takes a voucher for an order that is being accepted, and moves the order's charge from the
-- voucher to the wallet that will hold it. Returns false and changes nothing if the voucher is
-- redeemed, cancelled, of another merchant or environment, or worth less.
--
-- Part of accept_purchases, which has locked the wallet. Vouchers are redeemed, returned and
-- cancelled only under that lock. If a path forgets the lock, the unique index on open redemptions
-- still refuses a second one.
create or replace function redeem_voucher(
  p_merchant_id integer, p_environment text, p_purchase_id uuid, p_reference text, p_wallet_id bigint, p_charge bigint, p_voucher json
)
returns boolean
language plpgsql
as $$
begin
  insert into voucher_redemptions (merchant_id, purchase_id, voucher_id, redeem_id, settle_id)
  select u.merchant_id, p_purchase_id, u.id, (p_voucher->>'redeem_id')::uuid, (p_voucher->>'settle_id')::uuid
  from vouchers u
  where u.merchant_id = p_merchant_id
  and u.id = (p_voucher->>'id')::uuid
  and u.environment = p_environment
  and u.cancelled_at is null
  and u.value >= p_charge
  on conflict (merchant_id, voucher_id) where returned_at is null do nothing;
  if not found then
    return false;
  end if;
  perform post_transfers(p_merchant_id, p_wallet_id, (p_voucher->>'redeem_id')::uuid, p_reference, p_voucher->'transfers');
  return true;
end
$$;
