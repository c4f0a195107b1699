/**
 * The kinds of alarms, each with the actions that deal with it and the alarm's subject as their
 * input. docs/operators/alerts.md explains each kind. Some alarms are raised by SQL
 * (`migrations/functions/resolve_side_effects.sql` and stores), which the compiler does not check
 * against this list. Pure.
 */
import type { Action } from '../../core/action.ts';

/** What an alarm is about. */
export type AlarmSubject = {
  readonly purchase: string | null;
  readonly merchant: string | null;
  readonly provider: string | null;
  /** The deposit or the webhook endpoint, by the kind of the alarm. */
  readonly subject: string | null;
  /** Where it was sold below cost. */
  readonly sold?: { readonly environment: string; readonly product: string; readonly network: string };
};

type Deal = {
  readonly actions?: (about: AlarmSubject) => readonly Action[];
  /** Advice if no operation helps. */
  readonly advice?: string;
};

const reportIt = 'It is tried again every hour. If it goes on, report it with the log.';

const deals = {
  overdue: onPurchase('purchase.query', 'purchase.settle'),
  contradiction: onPurchase('purchase.show', 'purchase.refund', 'purchase.provider_refund'),
  stale: onPurchase('purchase.show', 'purchase.provider_refund'),
  quarantined: { ...onPurchase('purchase.settle'), advice: reportIt },
  pending_fulfilments: onPurchase('purchase.show'),
  goods_lost: onPurchase('purchase.show'),
  delivery: onPurchase('delivery.retry', 'purchase.show'),
  webhook: on('subject', 'endpoint', 'webhook.show', 'webhook.enable'),
  provider_unwell: on('provider', 'provider', 'provider.show', 'provider.test', 'provider.pause'),
  sold_below_cost: {
    actions: (about) => [
      ...actionsOn(about.purchase, 'reference', ['purchase.show']),
      { operation: 'guard.set', input: about.sold ?? {} },
    ],
  },
  deposit_suspense: on('subject', 'deposit', 'deposit.assign'),
  deposit_unpaid: { advice: 'Ask the bank about the reference in the message.' },
  deposit_unread: { advice: 'It is read again automatically. Check the bank’s status and your credentials.' },
  funding_overdue: on('merchant', 'merchant', 'funding.show'),
  funding_refused: on('merchant', 'merchant', 'funding.show', 'funding.open'),
  funding_stray: just({ operation: 'deposit.list', input: { suspense: true } }),
  low_float: on('provider', 'provider', 'float.top_up', 'provider.show'),
  float_unknown: on('provider', 'provider', 'provider.test', 'provider.show'),
  float_differs: on('provider', 'party', 'reconciliation.run'),
  restore_lock: just({ operation: 'restore.status', input: {} }, { operation: 'restore.open', input: {} }),
  restore_opened: just({ operation: 'finding.list', input: { verdict: 'open' } }),
  cell_idle: { advice: 'Check that the server of the cell answers, and that gateways run.' },
  backup_old: just({ operation: 'backup.record', input: {} }),
} satisfies Readonly<Record<string, Deal>>;

export type AlarmKind = keyof typeof deals;

export const alarmKinds = Object.keys(deals) as readonly AlarmKind[];

/** Returns the actions, likeliest first, or advice if there is no action. */
export function dealWith(
  kind: string,
  about: AlarmSubject,
): { readonly actions: readonly Action[]; readonly advice: string | null } {
  const deal: Deal = Object.hasOwn(deals, kind) ? deals[kind as AlarmKind] : {};
  const actions = deal.actions?.(about) ?? [];
  return { actions, advice: actions.length === 0 ? (deal.advice ?? null) : null };
}

function onPurchase(...operations: readonly string[]): Deal {
  return on('purchase', 'reference', ...operations);
}

/** Operations whose input `field` is the alarm's subject. */
function on(
  what: Exclude<keyof AlarmSubject, 'sold'>,
  field: string,
  ...operations: readonly string[]
): Deal {
  return { actions: (about) => actionsOn(about[what], field, operations) };
}

function actionsOn(value: string | null, field: string, operations: readonly string[]): readonly Action[] {
  return value === null ? [] : operations.map((operation) => ({ operation, input: { [field]: value } }));
}

function just(...actions: readonly Action[]): Deal {
  return { actions: () => actions };
}
