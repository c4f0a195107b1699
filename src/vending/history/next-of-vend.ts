/** What happens to a vend next, and when. Pure. */
import type { VendHistory } from './read-history.ts';

export const nextSteps = [
  /** A gateway process has it at this moment. */
  'in_hand',
  /** It is sent to a provider. */
  'send',
  /** Its provider is asked what came of it. */
  'ask',
  /** The provider is asked for the goods that it owes. */
  'ask_for_goods',
  /** Its goods are for a person to add. */
  'add_goods',
  /** What it brought is sent to the customer. */
  'deliver',
] as const;

export type NextStep = {
  readonly what: (typeof nextSteps)[number];
  /** Undefined where nothing is due: it is under way, or a person's to do. */
  readonly at: Date | undefined;
};

/** Undefined where nothing is left to happen. */
export function nextOf({ pending, lateGoods, delivery }: VendHistory): NextStep | undefined {
  if (pending !== undefined) {
    if (pending.owner !== null) return { what: 'in_hand', at: undefined };
    return { what: pending.step === 'send' ? 'send' : 'ask', at: pending.due_at ?? undefined };
  }
  if (lateGoods !== undefined && lateGoods.arrived_at === null) {
    const { due_at: at } = lateGoods;
    return at === null ? { what: 'add_goods', at: undefined } : { what: 'ask_for_goods', at };
  }
  if (delivery?.state === 'due') return { what: 'deliver', at: delivery.due_at ?? undefined };
  return undefined;
}
