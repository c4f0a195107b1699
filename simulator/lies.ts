/**
 * False lines in a simulated provider's statement, as a file or as a list: rules for the orders of
 * one recipient or of all. The books stay correct.
 */
import type { Order } from './books.ts';
import { parseNaira } from './naira.ts';

const LIES = [
  'missing',
  'twice',
  'delivered',
  'pending',
  'failed',
  'reversed',
  'other_amount',
  'other_cost',
  'other_recipient',
  'stranger',
] as const;

type Lie = (typeof LIES)[number];

type Rule = {
  readonly lie: Lie;
  readonly provider: string;
  readonly recipient: string | undefined;
  readonly reference: string | undefined;
  /** Of `other_amount` and `other_cost`, in kobo. */
  readonly amount: bigint;
};

const KEYS = ['lie', 'provider', 'recipient', 'reference', 'amount'];

/** An order as reported. It distinguishes `reversed` from `failed`, which the books do not. */
export type Told = Order & { readonly told?: 'reversed' };

export class Lies {
  #rules: readonly Rule[] = [];

  /** Replaces the rules. Returns the error of invalid ones without a change. */
  replace(body: unknown): readonly string[] {
    const rules = (body as { readonly rules?: unknown } | undefined)?.rules;
    if (!Array.isArray(rules)) return ['rules must be a list'];
    const wrong: string[] = [];
    const read = rules.map((rule: unknown, index) => readRule(rule, `rules[${index}]`, wrong));
    if (wrong.length === 0) this.#rules = read;
    return wrong;
  }

  clear(): void {
    this.#rules = [];
  }

  toJSON(): unknown {
    return { rules: this.#rules.map((rule) => ({ ...rule, amount: String(rule.amount) })) };
  }

  /** The orders as the provider reports them. */
  tell(provider: string, orders: readonly Order[]): Told[] {
    const rules = this.#rules.filter((rule) => rule.provider === provider);
    return orders.flatMap((order) => {
      let told: Told[] = [order];
      for (const rule of rules) if (isAbout(rule, order)) told = told.flatMap((one) => lieOf(rule, one));
      return told;
    });
  }
}

function isAbout({ recipient, reference }: Rule, order: Order): boolean {
  if (order.movement !== undefined) return false;
  if (reference !== undefined && reference !== order.reference) return false;
  return recipient === undefined || recipient.slice(-10) === order.recipient.slice(-10);
}

function lieOf({ lie, amount }: Rule, order: Told): Told[] {
  const { told: _, ...rest } = order;
  switch (lie) {
    case 'missing':
      return [];
    case 'twice':
      return [order, { ...order, detail: copyOf(order.detail, '9') }];
    case 'stranger':
      return [
        order,
        { ...order, reference: `${order.reference.slice(0, -4)}zzzz`, detail: copyOf(order.detail, '8') },
      ];
    case 'reversed':
      return [{ ...rest, status: 'failed', told: 'reversed' }];
    case 'other_amount':
      return [{ ...order, amount }];
    case 'other_cost':
      return [{ ...order, cost: amount }];
    case 'other_recipient':
      return [{ ...order, recipient: '08099999999' }];
    default:
      return [{ ...rest, status: lie }];
  }
}

/** Another id of the provider's own. */
function copyOf(detail: Order['detail'], mark: string): Order['detail'] {
  const ids = ['transactionId', 'id', 'orderNo', 'esimTranNo'];
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, ids.includes(name) ? `${value}${mark}` : value]),
  );
}

function readRule(value: unknown, at: string, wrong: string[]): Rule {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const text = (name: string): string | undefined =>
    given[name] === undefined ? undefined : String(given[name]);
  const lie = LIES.find((known) => known === given.lie);
  const amount = parseNaira(given.amount ?? '1');
  for (const key of Object.keys(given)) if (!KEYS.includes(key)) wrong.push(`${at}.${key} is not known`);
  if (lie === undefined) wrong.push(`${at}.lie must be one of ${LIES.join(', ')}`);
  if (typeof given.provider !== 'string') wrong.push(`${at}.provider must be a provider`);
  if (amount === undefined) wrong.push(`${at}.amount must be an amount in naira`);
  return {
    lie: lie ?? 'missing',
    provider: text('provider') ?? '',
    recipient: text('recipient'),
    reference: text('reference'),
    amount: amount ?? 0n,
  };
}
