/** Reads a panel's balance, its plans and its customers by the mapping. Pure. */
import type { Money } from '../../core/money.ts';
import { type MobileNetwork, parseMobileNetwork } from '../../core/products/network.ts';
import { unverified } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, word } from '../http/reply-fields.ts';
import { planFacts, unreadablePlan } from '../plan-facts.ts';
import type { CustomerAnswer, ProviderPlan } from '../provider.ts';
import type { PanelMapping, PanelOrder } from './mapping-schema.ts';
import { fieldOf, nairaOf, unreadable, wordOf } from './reply.ts';

export function readBalance({ balance }: PanelMapping, result: CallResult): Money | undefined {
  if (result.kind !== 'reply' || result.status >= 300) return undefined;
  const amount = nairaOf(result.body, balance.field);
  return amount === undefined ? undefined : { amount, currency: 'NGN' };
}

/** The lists that are named as networks are. */
export function dataListsOf({ lists }: NonNullable<PanelMapping['plans']>): Map<string, MobileNetwork> {
  return new Map(
    Object.keys(lists).flatMap((list): [string, MobileNetwork][] => {
      const network = parseMobileNetwork(list);
      return network === undefined ? [] : [[list, network]];
    }),
  );
}

/** Reads one of the lists. Undefined without it. */
export function readPlans(
  { plans }: PanelMapping,
  serviceId: string,
  result: CallResult,
): readonly ProviderPlan[] | undefined {
  const path =
    plans !== undefined && Object.hasOwn(plans.lists, serviceId) ? plans.lists[serviceId] : undefined;
  if (plans === undefined || path === undefined) return undefined;
  if (result.kind !== 'reply' || result.status >= 300) return undefined;
  const list = fieldOf(result.body, path);
  return Array.isArray(list) ? list.flatMap((row) => readPlan(plans, row)) : undefined;
}

function readPlan(
  { id, name, price, kind, size, validity }: NonNullable<PanelMapping['plans']>,
  row: unknown,
): readonly ProviderPlan[] {
  const code = isBody(row) ? wordOf(row, [id]) : undefined;
  if (code === undefined) return [unreadablePlan];
  const words = name.flatMap((field) => wordOf(row, [field]) ?? []).join(' ');
  const cost = nairaOf(row, price);
  const stated = (fields: readonly string[] | undefined) => fields && wordOf(row, fields);
  return [
    {
      code,
      name: words || code,
      price: cost,
      fixed: true,
      ...(cost !== undefined && { cost }),
      ...planFacts(words, { kind: stated(kind), size: stated(size), validity: stated(validity) }),
    },
  ];
}

type Verify = NonNullable<PanelOrder['verify']>;

/** Rejects a customer only on the answer that the mapping names for that. */
export function readCustomer({ name, address, rejected }: Verify, result: CallResult): CustomerAnswer {
  if (result.kind === 'not_sent') return unverified('not_sent', result.reason);
  const unread = unreadable(result);
  if (unread !== undefined || result.kind !== 'reply' || !isBody(result.body)) {
    return unverified(unread?.code ?? 'no_answer', unread?.message ?? 'no usable answer');
  }
  const { status, body } = result;
  if (
    status < 300 &&
    rejected !== undefined &&
    plainValue(body, rejected.field) === rejected.value.toLowerCase()
  ) {
    return { kind: 'rejected', code: `${rejected.field}`, message: 'The biller knows no such customer' };
  }
  const found = wordOf(body, name);
  if (status >= 300 || found === undefined)
    return unverified(`http_${status}`, 'the panel named no customer');
  const where = wordOf(body, address);
  return { kind: 'verified', customer: { name: found, ...(where !== undefined && { address: where }) } };
}

/** Reads a text, a number or a truth value as text. */
function plainValue(body: Body, path: string): string | undefined {
  const value = fieldOf(body, path);
  return (typeof value === 'boolean' ? String(value) : word(value))?.toLowerCase();
}
