/**
 * The buttons of the actions that the server proposes for an alarm or a difference: the form of an
 * operation, or the screen where a person decides. Pure.
 */
import type { OperationName, Output } from '../api/operations.ts';
import type { FormShape, Typed } from './operation-fields.ts';

type Action = Output<'alarm.list'>['data'][number]['actions'][number];
type Input = Action['input'];

type FormText = Omit<FormShape, 'given' | 'start' | 'about'> & {
  /** The title of the dialog. Default: the verb. */
  readonly title?: string;
};

/** The forms, with the fields that a person fills in. Screens use them too. */
export const operationForms = {
  'purchase.query': { verb: 'Query the provider', fields: [] },
  'purchase.settle': {
    verb: 'Settle',
    title: 'Settle with evidence from the provider’s support',
    fields: ['outcome', 'evidence', 'cost', 'override'],
    labels: { cost: 'Cost in naira', override: 'Override the provider’s answer' },
    done: 'Purchase settled.',
  },
  'purchase.refund': {
    verb: 'Refund the merchant',
    fields: ['amount', 'reason'],
    labels: { amount: 'Amount in naira (default: all)' },
    done: 'Merchant refunded.',
  },
  'purchase.provider_refund': {
    verb: 'Book provider refund',
    fields: ['amount', 'reason'],
    labels: { amount: 'Amount in naira (default: all)' },
    done: 'Provider refund booked.',
  },
  'delivery.retry': {
    verb: 'Resend',
    title: 'Resend the order',
    fields: ['again'],
    labels: { again: 'Allow sending it again' },
    done: 'Delivery queued.',
  },
  'webhook.enable': {
    verb: 'Enable',
    title: 'Enable the endpoint',
    fields: [],
    done: 'Endpoint enabled. Held events will be sent.',
  },
  'provider.test': { verb: 'Test', title: 'Test the provider', fields: [] },
  'provider.pause': {
    verb: 'Pause',
    title: 'Pause the provider',
    fields: ['product', 'network', 'reason'],
    labels: { product: 'Product (default: all)', network: 'Network (default: all)' },
    done: 'Paused.',
  },
  'guard.set': { verb: 'Set a loss guard', fields: ['environment', 'product', 'network', 'mode'] },
  'deposit.assign': {
    verb: 'Assign',
    title: 'Credit a merchant',
    fields: ['merchant'],
    done: 'Deposit credited.',
  },
  'funding.open': {
    verb: 'Open an account',
    title: 'Open a funding account',
    done: 'Funding account requested.',
  },
  'float.top_up': {
    verb: 'Book a top-up',
    fields: ['amount', 'currency', 'naira', 'reference', 'at', 'bank', 'reason'],
    labels: { naira: 'Cost in naira', at: 'Time', bank: 'Bank account' },
    done: 'Top-up booked.',
  },
  'float.charge': {
    verb: 'Book a charge',
    fields: ['amount', 'currency', 'naira', 'reference', 'at', 'reason'],
    labels: { naira: 'Cost in naira', at: 'Time' },
    done: 'Charge booked.',
  },
  'reconciliation.run': {
    verb: 'Reconcile',
    title: 'Reconcile with a provider or bank',
    fields: ['statement', 'from', 'to', 'mapping', 'apply'],
    labels: {
      statement: 'Statement file (empty: query the provider)',
      mapping: 'Custom layout',
      apply: 'Apply safe corrections',
    },
  },
  'finding.enter': {
    verb: 'Enter',
    title: 'Enter as a purchase',
    done: 'Order entered. The provider is queried for its outcome.',
  },
  'finding.dismiss': {
    verb: 'Dismiss',
    title: 'Dismiss this order',
    fields: ['reason'],
    done: 'Order dismissed.',
  },
  'wallet.credit': {
    verb: 'Adjust balance',
    fields: ['amount', 'memo'],
    labels: { amount: 'Amount (negative to debit)' },
    done: 'Balance adjusted.',
  },
  'restore.open': {
    verb: 'Remove the lock',
    title: 'Remove the restore lock',
    review: true,
    done: 'Lock removed. Live purchases resume.',
  },
  'backup.record': { verb: 'Record a backup', done: 'Backup recorded.' },
} as const satisfies Readonly<Partial<Record<OperationName, FormText>>>;

const forms: Readonly<Partial<Record<OperationName, FormText>>> = operationForms;

const encoded = (value: unknown): string => encodeURIComponent(String(value));

/** The screens, where the operation only reads. */
const places: Readonly<
  Partial<Record<OperationName, { readonly verb: string; readonly to: (input: Input) => string }>>
> = {
  'purchase.show': { verb: 'Open purchase', to: (input) => `/purchases/${encoded(input.reference)}` },
  'webhook.show': { verb: 'Open endpoint', to: (input) => `/webhooks/${encoded(input.endpoint)}` },
  'provider.show': { verb: 'Open provider', to: (input) => `/providers/${encoded(input.provider)}` },
  'funding.show': {
    verb: 'Open funding',
    to: (input) => `/merchants/${encoded(input.merchant)}?tab=funding`,
  },
  'deposit.list': { verb: 'Open deposits', to: () => '/money?suspense=yes' },
  'restore.status': { verb: 'Open recovery', to: () => '/recovery' },
  'finding.list': { verb: 'Open findings', to: () => '/reconciliation' },
  'audit.run': { verb: 'Open the audit', to: () => '/books' },
};

export type ActionOfButton =
  | { readonly kind: 'screen'; readonly verb: string; readonly to: string }
  | ({ readonly kind: 'form'; readonly name: OperationName } & FormShape & { readonly title?: string });

/**
 * Returns the button of an action; undefined for an unknown operation. Known inputs fill in the
 * fields of the form. Those without a field cannot be changed.
 */
export function buttonOf({ operation, input }: Action): ActionOfButton | undefined {
  const name = operation as OperationName;
  const place = places[name];
  if (place !== undefined) return { kind: 'screen', verb: place.verb, to: place.to(input) };
  const form = forms[name];
  if (form === undefined) return undefined;
  const known = Object.entries(input);
  const start: Typed = Object.fromEntries(known.filter(([field]) => form.fields?.includes(field)));
  const given = Object.fromEntries(known.filter(([field]) => start[field] === undefined));
  return { kind: 'form', name, ...form, given, start };
}
