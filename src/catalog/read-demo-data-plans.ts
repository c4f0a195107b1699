// The demo's data plans: one file a network, in the words of the interface's plan lists.
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { parseAmount } from '../kernel/money.ts';
import { type MobileNetwork, mobileNetworks } from '../products/network.ts';
import type { DataPlan } from './data-plan.ts';
import { findCodeClashes } from './data-plan-index.ts';
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

export const DataPlanEntry = Type.Object(
  {
    plan_code: Code,
    id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    network: Type.String(),
    name: Text,
    description: Text,
    price: Type.String(),
    tarrifTypeId: Code,
    product_id: Type.Optional(Code),
    validity: Text,
    value: Text,
    group: Text,
    shortCode: Code,
    active: Type.Boolean(),
    provider_codes: ProviderCodes,
  },
  { additionalProperties: false },
);

type PlanEntry = Static<typeof DataPlanEntry>;

/**
 * The data plans of the files `mtn.json`, `glo.json`, `airtel.json` and `9mobile.json` in `folder`, in that order.
 * Throws an Error that lists every fault: unreadable files, wrong fields, ids or codes that stand for two plans, one
 * provider plan sold as two.
 */
export async function readDemoDataPlans(
  folder: string = join(demoFolder, 'data-plans'),
): Promise<DataPlan[]> {
  const files = await Promise.all(
    mobileNetworks.map((network) =>
      readList(folder, `${network.toLowerCase()}.json`, 'plan', (entry) =>
        readBySchema(DataPlanEntry, entry, (plan) => readDataPlan(plan, network)),
      ),
    ),
  );
  const plans = files.flatMap((file) => file.items);
  refuseFaulty([
    ...files.flatMap((file) => file.faults),
    ...findRepeats(plans.map(uniqueKeys)),
    ...findCodeClashes(plans),
  ]);
  return plans;
}

export function readDataPlan(entry: PlanEntry, network: MobileNetwork): EntryRead<DataPlan> {
  const faults: string[] = [];
  const price = parseAmount(entry.price);
  if (price === undefined) faults.push(`price is no amount above zero: ${entry.price}`);
  if (entry.network !== network) faults.push(`network is not ${network}: ${entry.network}`);
  if (!new RegExp(`^${network}-[1-9][0-9]*$`).test(entry.plan_code)) {
    faults.push(`plan_code is not ${network}-<n>: ${entry.plan_code}`);
  }
  return price === undefined || faults.length > 0 ? { faults } : { item: toDataPlan(entry, network, price) };
}

function toDataPlan(entry: PlanEntry, network: MobileNetwork, price: bigint): DataPlan {
  return {
    planCode: entry.plan_code,
    id: entry.id,
    network,
    name: entry.name,
    description: entry.description,
    price,
    tariffTypeId: entry.tarrifTypeId,
    legacyProductId: entry.product_id,
    validity: entry.validity,
    size: entry.value,
    group: entry.group,
    shortCode: entry.shortCode,
    providerCodes: entry.provider_codes,
    active: entry.active,
  };
}

/** What no two plans may have in common, on sale or not. */
function uniqueKeys(plan: DataPlan): { holder: string; keys: string[] } {
  const providerPlans = Object.entries(plan.providerCodes).map(
    ([provider, codes]) => `${provider} plan ${Object.values(codes).sort().join(' ')}`,
  );
  return {
    holder: plan.planCode,
    keys: [`plan_code ${plan.planCode}`, `id ${plan.id}`, ...providerPlans],
  };
}
