/** Properties of finding bill plans and of judging bills. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDemoCatalog } from '../../src/app/demo/read-demo-catalog.ts';
import { findBillPlan, findBillPlanByService, indexBillPlans } from '../../src/catalog/bill-plan-index.ts';
import { findBiller, findBillNetwork, indexBillers } from '../../src/catalog/biller-index.ts';
import { amountLimits, type BillAmount, outsideLimits } from '../../src/core/products/bill-amount.ts';
import { checkBill } from '../../src/core/products/check-bill.ts';
import { billProducts } from '../../src/core/products/product.ts';
import { recordOf } from '../../src/core/products/registry.ts';
import { anyText } from '../support/any-text.ts';

const { billPlans: plans, billers } = await readDemoCatalog();
const planIndex = indexBillPlans(plans);
const billerIndex = indexBillers(billers);
// Those that old clients had: later ones have no old ids.
const anyPlan = fc.constantFrom(...plans.filter((plan) => plan.serviceId !== undefined));
const anyBiller = fc.constantFrom(...billers);
const anyTurns = fc.nat(2 ** 30 - 1);

/** `text` with each letter's case turned as the bits of `turns` say. */
function turnLetters(text: string, turns: number): string {
  return Array.from(text, (letter, place) =>
    (turns >> (place % 30)) & 1 ? letter.toUpperCase() : letter.toLowerCase(),
  ).join('');
}

test('a bill plan is found by each of its ids, however its letters are cased', () => {
  fc.assert(
    fc.property(anyPlan, anyTurns, (plan, turns) => {
      for (const code of [String(plan.id), plan.tariffTypeId, plan.legacyProductId]) {
        const match = findBillPlan(planIndex, plan.product, plan.network, turnLetters(code ?? '', turns));
        assert.deepEqual(match, { kind: 'found', plan }, code ?? 'no code');
      }
      const serviceId = turnLetters(plan.serviceId ?? '', turns);
      const match = findBillPlanByService(planIndex, plan.product, plan.network, serviceId);
      assert.deepEqual(match, { kind: 'found', plan }, serviceId);
    }),
  );
});

test('a bill plan is never found where it is not sold, and its catalog id and service id say whose it is', () => {
  fc.assert(
    fc.property(anyPlan, anyBiller, (plan, { product, network }) => {
      fc.pre(plan.network !== network);
      const kind = plan.product === product ? 'other-network' : 'other-product';
      assert.deepEqual(findBillPlan(planIndex, product, network, String(plan.id)), { kind, plan });
      const match = findBillPlanByService(planIndex, product, network, plan.serviceId ?? '');
      assert.deepEqual(match, { kind, plan });
    }),
  );
});

test('an unknown code finds nothing', () => {
  const codes = new Set(
    plans.flatMap((plan) => [String(plan.id), plan.tariffTypeId, plan.legacyProductId, plan.serviceId]),
  );
  const code = fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.nat(9_999).map(String));
  fc.assert(
    fc.property(anyBiller, code, ({ product, network }, text) => {
      fc.pre(!codes.has(text.toLowerCase()));
      assert.deepEqual(findBillPlan(planIndex, product, network, text), { kind: 'unknown' });
      assert.deepEqual(findBillPlanByService(planIndex, product, network, text), { kind: 'unknown' });
    }),
  );
});

test('a biller is found by each of its names for its own product and for any, and for no other', () => {
  fc.assert(
    fc.property(anyBiller, anyTurns, (biller, turns) => {
      for (const name of [biller.network, ...biller.aliases.map((alias) => alias.name)]) {
        const text = turnLetters(name, turns);
        assert.equal(findBillNetwork(billerIndex, text), biller.network, text);
        for (const product of billProducts) {
          const expected = product === biller.product ? biller : undefined;
          assert.equal(findBiller(billerIndex, product, text), expected, `${product} ${text}`);
        }
      }
    }),
  );
});

const naira = (from: number, to: number) => fc.integer({ min: from, max: to }).map((n) => BigInt(n) * 100n);

const anyVariable: fc.Arbitrary<Extract<BillAmount, { amountType: 'variable' }>> = fc
  .tuple(naira(1, 10_000), naira(0, 10_000_000))
  .map(([minAmount, more]) => ({
    amountType: 'variable',
    price: undefined,
    minAmount,
    maxAmount: minAmount + more,
  }));

const anyLimits = fc.record({
  minAmount: fc.option(fc.bigInt({ min: 0n, max: 2_000_000_00n }), { nil: undefined }),
  maxAmount: fc.option(fc.bigInt({ min: 0n, max: 2_000_000_00n }), { nil: undefined }),
});

test('accepts after verification only what was accepted before it, whatever limits the biller has', () => {
  fc.assert(
    fc.property(anyVariable, anyLimits, naira(1, 11_000_000), (plan, customer, amount) => {
      const request = {
        product: 'ELECTRICITY',
        network: 'Ikeja Electric',
        recipient: '10000000001',
        phone: undefined,
        amount,
      } as const;
      const before = checkBill(request, { ...plan, name: 'plan' }).length === 0;
      const after = outsideLimits(amount, amountLimits(plan, customer)) === undefined;
      assert.ok(before || !after, `${amount} is allowed only after verification`);
      // Said a second time, from the limits themselves.
      const fits =
        amount >= plan.minAmount &&
        amount <= plan.maxAmount &&
        amount >= (customer.minAmount ?? 0n) &&
        (!customer.maxAmount || amount <= customer.maxAmount);
      assert.equal(after, fits);
    }),
  );
});

test('no text makes the check of bills throw, and only ids of the right form pass', () => {
  const forms = {
    ELECTRICITY: /^[0-9]{6,13}$/,
    CABLE: /^[0-9]{10,12}$/,
    BETTING: /^[A-Za-z0-9]{1,30}$/,
    EDUCATION: /^[0-9]{10}$/,
  };
  const withForms = Object.keys(forms) as (keyof typeof forms)[];
  const text = fc.oneof(
    anyText(),
    fc.stringMatching(/^[0-9]{0,16}$/),
    fc.stringMatching(/^[A-Za-z0-9]{0,34}$/),
  );
  fc.assert(
    fc.property(fc.constantFrom(...withForms), text, text, (product, recipient, phone) => {
      const plan = { amountType: 'fixed', price: 1n, minAmount: undefined, maxAmount: undefined } as const;
      const network = recordOf(product).networkExample;
      const faults = checkBill({ product, network, recipient, phone, amount: 1n }, { ...plan, name: 'plan' });
      const refused = faults.some((fault) => fault.code === 'customer_malformed');
      assert.equal(refused, !forms[product].test(recipient), JSON.stringify(recipient));
    }),
  );
});
