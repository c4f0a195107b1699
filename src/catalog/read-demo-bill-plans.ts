// The demo's bill plans: one file a product, its networks those of `billers.json`.
import { type Static, Type } from 'typebox';
import { formatAmount, parseAmount } from '../kernel/money.ts';
import type { BillAmount } from '../products/bill-amount.ts';
import { type BillProduct, billProducts } from '../products/product.ts';
import type { BillPlan } from './bill-plan.ts';
import { findBillCodeClashes } from './bill-plan-index.ts';
import {
  Code,
  demoFolder,
  type EntryRead,
  findRepeats,
  ProviderCodes,
  readBySchema,
  readList,
  refuseFaulty,
  Text,
} from './demo-files.ts';
import { readBillerFile } from './read-demo-billers.ts';

/** The ids below are those of data plans. */
const ID_MIN = 2001;

export const BillPlanEntry = Type.Object(
  {
    id: Type.Integer({ minimum: ID_MIN, maximum: 2_147_483_647 }),
    name: Text,
    network: Type.String(),
    product: Type.String(),
    amount_type: Type.Enum(['fixed', 'variable']),
    price: Type.Optional(Type.String()),
    min_amount: Type.Optional(Type.String()),
    max_amount: Type.Optional(Type.String()),
    meter_kind: Type.Optional(Type.Enum(['prepaid', 'postpaid'])),
    service_id: Type.Optional(Code),
    tariff_type_id: Type.Optional(Code),
    legacy_product_id: Type.Optional(Code),
    active: Type.Boolean(),
    provider_codes: ProviderCodes,
  },
  { additionalProperties: false },
);

type PlanEntry = Static<typeof BillPlanEntry>;

/**
 * The bill plans of the files `electricity.json`, `cable.json` and `betting.json` in `bill-plans` of `folder`, in that
 * order. Throws an Error that lists every fault, those of `billers.json` too: unreadable files, wrong fields, a network
 * that no biller has, ids or codes that stand for two plans, one provider plan sold as two.
 */
export async function readDemoBillPlans(folder: string = demoFolder): Promise<BillPlan[]> {
  const billers = await readBillerFile(folder);
  const files = await Promise.all(
    billProducts.map((product) => {
      const networks = billers.items.filter((biller) => biller.product === product);
      const known = new Set(networks.map((biller) => biller.network));
      return readList(folder, `bill-plans/${product.toLowerCase()}.json`, 'plan', (entry) =>
        readBySchema(BillPlanEntry, entry, (plan) => readBillPlan(plan, product, known)),
      );
    }),
  );
  const plans = files.flatMap((file) => file.items);
  refuseFaulty([
    ...billers.faults,
    ...files.flatMap((file) => file.faults),
    ...findRepeats(plans.map(uniqueKeys)),
    ...findBillCodeClashes(plans),
  ]);
  return plans;
}

export function readBillPlan(
  entry: PlanEntry,
  product: BillProduct,
  networks: ReadonlySet<string>,
): EntryRead<BillPlan> {
  const faults: string[] = [];
  if (entry.product !== product) faults.push(`product is not ${product}: ${entry.product}`);
  if (!networks.has(entry.network)) faults.push(`network is of no ${product} biller: ${entry.network}`);
  if ((product === 'ELECTRICITY') !== (entry.meter_kind !== undefined)) {
    faults.push('meter_kind must be there for electricity and for nothing else');
  }
  const amount = readAmount(entry);
  if (Array.isArray(amount)) return { faults: [...faults, ...amount] };
  return faults.length > 0 ? { faults } : { item: toBillPlan(entry, product, amount) };
}

/** How the plan is paid, or what is wrong with that. */
function readAmount(entry: PlanEntry): BillAmount | string[] {
  const { amount_type: amountType, price, min_amount: min, max_amount: max } = entry;
  if (amountType === 'fixed') {
    const parsed = parseAmount(price ?? '');
    return parsed === undefined || min !== undefined || max !== undefined
      ? ['a fixed plan has a price above zero and nothing else of amounts']
      : { amountType, price: parsed, minAmount: undefined, maxAmount: undefined };
  }
  const minAmount = parseAmount(min ?? '');
  const maxAmount = parseAmount(max ?? '');
  return minAmount === undefined || maxAmount === undefined || minAmount > maxAmount || price !== undefined
    ? ['a variable plan has a min_amount above zero, a max_amount not below it and no price']
    : { amountType, price: undefined, minAmount, maxAmount };
}

function toBillPlan(entry: PlanEntry, product: BillProduct, amount: BillAmount): BillPlan {
  return {
    ...amount,
    id: entry.id,
    product,
    network: entry.network,
    name: entry.name,
    meterKind: entry.meter_kind,
    serviceId: entry.service_id,
    tariffTypeId: entry.tariff_type_id,
    legacyProductId: entry.legacy_product_id,
    providerCodes: entry.provider_codes,
    active: entry.active,
  };
}

/** What no two plans may have in common, on sale or not. A provider may tell the plans of a network apart by price alone. */
function uniqueKeys(plan: BillPlan): { holder: string; keys: string[] } {
  const price = plan.price === undefined ? 'any amount' : formatAmount(plan.price);
  const providerPlans = Object.entries(plan.providerCodes).map(
    ([provider, codes]) =>
      `${provider} plan ${[plan.network, ...Object.values(codes).sort(), 'at', price].join(' ')}`,
  );
  return { holder: String(plan.id), keys: [`id ${plan.id}`, ...providerPlans] };
}
