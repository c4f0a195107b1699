/**
 * Lists the kinds of alarms; docs/operators/alerts.md explains each. Some alarms are raised by SQL
 * (`migrations/functions/resolve_side_effects.sql` and stores), which the compiler does not check
 * against this list.
 */
export const alarmKinds = [
  'overdue',
  'contradiction',
  'stale',
  'quarantined',
  'pending_fulfilments',
  'goods_lost',
  'delivery',
  'webhook',
  'provider_unwell',
  'sold_below_cost',
  'deposit_suspense',
  'deposit_unpaid',
  'deposit_unread',
  'funding_overdue',
  'funding_refused',
  'funding_stray',
  'low_float',
  'float_unknown',
  'float_differs',
  'restore_lock',
  'restore_opened',
  'backup_old',
] as const;

export type AlarmKind = (typeof alarmKinds)[number];
