// The demo catalog: data files that ship with Oja, one a network, in the words of the interface's plan lists. Read with
// distrust all the same, and every fault of every file is reported at once, since they are edited by hand.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { parseAmount } from '../money.ts';
import { type MobileNetwork, mobileNetworks } from '../products/network.ts';
import type { DataPlan } from './data-plan.ts';
import { findCodeClashes } from './data-plan-index.ts';

const shippedFolder = fileURLToPath(new URL('../../catalog/demo/data-plans', import.meta.url));

const Text = Type.String({ minLength: 1, maxLength: 200 });
const Code = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$' });

const PlanEntry = Type.Object(
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
    provider_codes: Type.Record(Type.String(), Type.Record(Type.String(), Text)),
  },
  { additionalProperties: false },
);

type PlanEntry = Static<typeof PlanEntry>;

/**
 * The data plans of the files `mtn.json`, `glo.json`, `airtel.json` and `9mobile.json` in `folder`, in that order.
 * Throws an Error that lists every fault: unreadable files, wrong fields, ids or codes that stand for two plans, one
 * provider plan sold as two.
 */
export async function readDemoDataPlans(folder: string = shippedFolder): Promise<DataPlan[]> {
  const files = await Promise.all(mobileNetworks.map((network) => readPlanFile(folder, network)));
  const plans = files.flatMap((file) => file.plans);
  const faults = [...files.flatMap((file) => file.faults), ...findRepeats(plans), ...findCodeClashes(plans)];
  if (faults.length > 0) throw new Error(`the demo catalog is faulty:\n  ${faults.join('\n  ')}`);
  return plans;
}

async function readPlanFile(
  folder: string,
  network: MobileNetwork,
): Promise<{ plans: DataPlan[]; faults: string[] }> {
  const name = `${network.toLowerCase()}.json`;
  let entries: unknown;
  try {
    entries = JSON.parse(await readFile(join(folder, name), 'utf8'));
  } catch (error) {
    return { plans: [], faults: [`${name}: ${error instanceof Error ? error.message : String(error)}`] };
  }
  if (!Array.isArray(entries)) return { plans: [], faults: [`${name}: must be a list of plans`] };

  const plans: DataPlan[] = [];
  const faults: string[] = [];
  entries.forEach((entry: unknown, position) => {
    const read = readEntry(entry, network);
    if ('plan' in read) plans.push(read.plan);
    else faults.push(...read.faults.map((fault) => `${name}, plan ${position + 1}: ${fault}`));
  });
  return { plans, faults };
}

function readEntry(entry: unknown, network: MobileNetwork): { plan: DataPlan } | { faults: string[] } {
  if (!Value.Check(PlanEntry, entry)) {
    return {
      faults: Value.Errors(PlanEntry, entry).map(({ instancePath, message }) =>
        `${instancePath.slice(1).replaceAll('/', '.')} ${message}`.trimStart(),
      ),
    };
  }
  const faults: string[] = [];
  const price = parseAmount(entry.price);
  if (price === undefined) faults.push(`price is no amount above zero: ${entry.price}`);
  if (entry.network !== network) faults.push(`network is not ${network}: ${entry.network}`);
  if (!new RegExp(`^${network}-[1-9][0-9]*$`).test(entry.plan_code)) {
    faults.push(`plan_code is not ${network}-<n>: ${entry.plan_code}`);
  }
  return price === undefined || faults.length > 0 ? { faults } : { plan: toDataPlan(entry, network, price) };
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
function findRepeats(plans: readonly DataPlan[]): string[] {
  const holders = new Map<string, string>();
  const faults: string[] = [];
  for (const plan of plans) {
    const providerPlans = Object.entries(plan.providerCodes).map(
      ([provider, codes]) => `${provider} plan ${Object.values(codes).sort().join(' ')}`,
    );
    for (const key of [`plan_code ${plan.planCode}`, `id ${plan.id}`, ...providerPlans]) {
      const holder = holders.get(key);
      if (holder === undefined) holders.set(key, plan.planCode);
      else faults.push(`${key} is both ${holder} and ${plan.planCode}`);
    }
  }
  return faults;
}
