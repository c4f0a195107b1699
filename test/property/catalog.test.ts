/** Properties of finding data plans. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDemoCatalog } from '../../src/app/demo/read-demo-catalog.ts';
import { type DataPlan, findDataPlan, indexDataPlans } from '../../src/catalog/data-plan-index.ts';
import type { MobileNetwork } from '../../src/core/products/network.ts';

const { dataPlans: plans } = await readDemoCatalog();
const index = indexDataPlans(plans);
const anyPlan = fc.constantFrom(...plans);

// The interface's rule on old codes, implemented a second time: the codes that each network accepts
// for a plan.
const accepted: Record<MobileNetwork, readonly (keyof DataPlan)[]> = {
  MTN: ['planCode', 'shortCode', 'tariffTypeId'],
  GLO: ['planCode', 'shortCode', 'id', 'legacyProductId', 'tariffTypeId'],
  AIRTEL: ['planCode', 'shortCode', 'id', 'tariffTypeId'],
  '9MOBILE': ['planCode', 'shortCode', 'id'],
};

/** `code` with each letter's case turned as the bits of `turns` say. */
function turnLetters(code: string, turns: number): string {
  return Array.from(code, (letter, place) =>
    (turns >> (place % 30)) & 1 ? letter.toUpperCase() : letter.toLowerCase(),
  ).join('');
}

test('finds a plan by each code that its network accepts, in any letter case', () => {
  fc.assert(
    fc.property(anyPlan, fc.nat(2 ** 30 - 1), (plan, turns) => {
      for (const field of accepted[plan.network]) {
        const code = turnLetters(String(plan[field]), turns);
        assert.deepEqual(
          findDataPlan(index, plan.network, code),
          { kind: 'found', plan },
          `${field} ${code}`,
        );
      }
    }),
  );
});

test('a plan is never found by a code its network does not take', () => {
  for (const plan of plans) {
    for (const field of ['id', 'tariffTypeId', 'legacyProductId'] as const) {
      const code = plan[field];
      if (code === undefined || accepted[plan.network].includes(field)) continue;
      const match = findDataPlan(index, plan.network, String(code));
      assert.ok(match.kind !== 'found' || match.plan !== plan, `${plan.planCode} by its ${field} ${code}`);
    }
  }
});

test('never finds a plan on another network, and reports whose plan it is', () => {
  fc.assert(
    fc.property(anyPlan, anyPlan, fc.constantFrom('planCode', 'shortCode'), (plan, other, field) => {
      fc.pre(plan.network !== other.network);
      assert.deepEqual(findDataPlan(index, other.network, plan[field]), { kind: 'other-network', plan });
    }),
  );
});

test('an unknown code finds nothing', () => {
  const codes = new Set(
    plans.flatMap((plan) =>
      [plan.planCode, plan.shortCode, String(plan.id), plan.tariffTypeId, plan.legacyProductId ?? ''].map(
        (code) => code.toLowerCase(),
      ),
    ),
  );
  const code = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.nat(9_999).map(String),
    fc.tuple(anyPlan, fc.string({ minLength: 1, maxLength: 2 })).map(([plan, tail]) => plan.planCode + tail),
  );
  fc.assert(
    fc.property(anyPlan, code, ({ network }, text) => {
      fc.pre(!codes.has(text.toLowerCase()));
      assert.deepEqual(findDataPlan(index, network, text), { kind: 'unknown' });
    }),
  );
});
