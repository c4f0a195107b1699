/** The products that have plans, and the search among plans. */
import type { Input } from '../../api/operations.ts';

type PlanProduct = Input<'catalog.list'>['product'];

export const planProducts = Object.keys({
  data: true,
  ELECTRICITY: true,
  CABLE: true,
  BETTING: true,
  EDUCATION: true,
  GIFTCARD: true,
  ESIM: true,
} satisfies Readonly<Record<PlanProduct, true>>) as PlanProduct[];

/** Whether the text is part of the name or code of a plan, in any letter case. */
export function matches(
  { name, subject }: { readonly name: string; readonly subject: string },
  text: string,
): boolean {
  return `${name} ${subject}`.toLowerCase().includes(text.trim().toLowerCase());
}
