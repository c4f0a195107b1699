/** Raises alarms of sales at a loss: one for each provider, product, network and merchant. */
import type { Tx } from '../../db/database.ts';

const naira = (kobo: string): string => `to_char(${kobo} / 100.0, 'FM999999999999990.00')`;

const message = `format(
  '%s by %s costs more than the merchant pays: %s of %s since %s lost %s NGN (charged %s, cost %s); '
    || 'the last is %s. Check the discount, the price, the exchange rate and the route, or set a guard.',
  l.network,
  l.provider,
  case l.count when 1 then '1 sale' else l.count || ' sales' end,
  l.product,
  to_char(l.since at time zone 'Africa/Lagos', 'YYYY-MM-DD HH24:MI:SS'),
  ${naira('(l.cost - l.charge)')},
  ${naira('l.charge')},
  ${naira('l.cost')},
  l.last_purchase_id
)`;

/**
 * Raises missing alarms, and updates those whose losses grew. Runs under the lock of the roll-up,
 * so no other transaction raises them.
 */
export async function raiseLossAlarms(tx: Tx): Promise<void> {
  await tx.query(`
    with unreported as materialized (
      select l.environment, l.provider, l.product, l.network, l.merchant_id, l.alarm_id, l.last_purchase_id, ${message} as message
      from sale_losses l
      where l.told <> l.count
    ),
    renewed as (
      update alarms a
      set message = u.message
      from unreported u
      where a.id = u.alarm_id
    ),
    raised as (
      insert into alarms (kind, merchant_id, purchase_id, message)
      select 'sold_below_cost', merchant_id, last_purchase_id, message
      from unreported
      where alarm_id is null
      returning id, merchant_id, message
    )
    update sale_losses l
    set
      told = l.count,
      alarm_id = coalesce(l.alarm_id, r.id)
    from unreported u
    left join raised r
      on u.alarm_id is null
      and r.merchant_id = u.merchant_id
      and r.message = u.message
    where l.environment = u.environment
    and l.provider = u.provider
    and l.product = u.product
    and l.network = u.network
    and l.merchant_id = u.merchant_id`);
}
