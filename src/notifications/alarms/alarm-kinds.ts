/**
 * Every kind of alarm. What to do about each is in docs/operators/alerts.md. Some are raised by SQL
 * (`migrations/functions/resolve_side_effects.sql` and stores), where no compiler compares them.
 */
export const alarmKinds = [
  'overdue',
  'contradiction',
  'stale',
  'set_aside',
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
  'restore_fence',
  'restore_opened',
  'backup_old',
] as const;

export type AlarmKind = (typeof alarmKinds)[number];
