/**
 * Requests before a provider or the database is called: their plan and price, the customer of a
 * bill, and the provider that can send them soon.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findBillPlan, findBillPlanByService, indexBillPlans } from '../../../src/catalog/bill-plan-index.ts';
import { findDataPlan, indexDataPlans } from '../../../src/catalog/data-plan-index.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { RequestFault } from '../../../src/core/request-fault.ts';
import type { CustomerAnswer, Provider } from '../../../src/providers/provider.ts';
import { sandbox as definition } from '../../../src/providers/sandbox/index.ts';
import { type Judge, priceRequest } from '../../../src/purchases/create/price-request.ts';
import { refuseRepeated, requireSelling } from '../../../src/purchases/create/run-purchase.ts';
import { checkBillCustomer, verifyBillCustomer } from '../../../src/purchases/create/verify-customer.ts';
import type { PurchaseRequest } from '../../../src/purchases/state/purchase.ts';
import { aPrincipal } from '../../api/harness.ts';
import { billPlan, dataPlan } from '../../simulation/products.ts';
import { fixedRoutes } from '../../support/fixed-routes.ts';
import { noGuards } from '../../support/no-guards.ts';
import { noRestoreLock } from '../../support/no-restore-lock.ts';
import { refusedFor } from '../../support/refusals.ts';

const sandbox = await definition.configure({ notFoundGraceMs: 1_000 }).open();

const dataPlans = indexDataPlans([
  dataPlan,
  { ...dataPlan, planCode: '9MOBILE-1', id: 3, network: '9MOBILE', shortCode: '9MOBILE-1GB' },
]);
const billPlans = indexBillPlans([
  { ...billPlan, serviceId: 'ikeja-prepaid', tariffTypeId: '7' },
  { ...billPlan, id: 4, network: 'EKEDC' },
  { ...billPlan, id: 5, product: 'CABLE', network: 'DSTV' },
  { ...billPlan, id: 6, product: 'EDUCATION', network: 'WAEC', meterKind: undefined },
]);

type Answering = CustomerAnswer | 'broken' | 'none';

/** One provider for each answer about a customer, in that order. */
function judgeOf(...answers: readonly Answering[]) {
  const providers = new Map(
    answers.map((answer, index): [string, Provider] => {
      const { verifyCustomer: _, ...rest } = sandbox;
      const name = ['north', 'south'][index] ?? '';
      const verifyCustomer = async (): Promise<CustomerAnswer> => {
        if (typeof answer === 'string') throw new Error(answer);
        return answer;
      };
      return [name, { ...rest, name, ...(answer !== 'none' && { verifyCustomer }) }];
    }),
  );
  const asked: string[] = [];
  const judge: Judge = {
    catalog: {
      findDataPlan: (network, code, amount) => findDataPlan(dataPlans, network, code, amount),
      findBillPlan: (product, network, code) => findBillPlan(billPlans, product, network, code),
      findBillPlanByService: (product, network, id) => findBillPlanByService(billPlans, product, network, id),
    },
    guards: noGuards,
    clock: systemClock,
    routes: fixedRoutes(() => [...providers.keys()]),
    providers,
  };
  const onAnswer = ({ provider, kind }: { provider: string; kind: string }): void => {
    asked.push(`${provider} ${kind}`);
  };
  return { ...judge, clock: systemClock, onAnswer, verifyWithinMs: 60_000, asked };
}

const merchant = {
  ...aPrincipal().merchant,
  products: new Set(['airtime', 'data', 'ELECTRICITY', 'CABLE', 'EDUCATION']),
};
const principal = aPrincipal({ merchant });

const airtime: PurchaseRequest = {
  principal,
  reference: 'r-1',
  product: 'airtime',
  network: 'MTN',
  planCode: undefined,
  msisdn: '08031234567',
  recipient: '2348031234567',
  faceValue: 100_00n,
  phone: undefined,
};
const data: PurchaseRequest = { ...airtime, product: 'data', planCode: 'MTN-1', faceValue: dataPlan.price };
const meter: PurchaseRequest = {
  ...airtime,
  product: 'ELECTRICITY',
  network: 'Ikeja Electric',
  planCode: '2',
  recipient: '10000000001',
};

const verified: CustomerAnswer = { kind: 'verified', customer: { name: 'ADA', minAmount: 200_00n } };
const rejected: CustomerAnswer = { kind: 'rejected', code: '1', message: 'no such meter' };
const unavailable: CustomerAnswer = { kind: 'unavailable', code: 'timeout', message: '' };

describe('the price of a request', () => {
  const judge = judgeOf('none');

  it('keeps the plan under its own code, and what was sent beside it', () => {
    const { details: usual, charge, walletId } = priceRequest(judge, { ...airtime, planKind: 'vtu' }, 'sync');
    assert.deepEqual([usual, charge, walletId], [undefined, 100_00n, 1n]);
    const shared = priceRequest(judge, { ...airtime, planKind: 'share_and_sell' }, 'sync');
    assert.deepEqual(shared.details, { kind: 'share_and_sell' });
    const bundle = priceRequest(judge, { ...data, planCode: '1' }, 'sync');
    assert.deepEqual(
      [bundle.planCode, bundle.details?.sentPlan, bundle.details?.kind],
      ['MTN-1', '1', 'direct'],
    );
    assert.equal(priceRequest(judge, data, 'sync').details?.sentPlan, undefined);
    const phone = '08031234567';
    const bill = priceRequest(judge, { ...meter, planCode: '7', phone }, 'async');
    const { sentPlan, goodsOwed } = bill.details ?? {};
    assert.deepEqual([bill.planCode, sentPlan, bill.details?.phone, goodsOwed], ['2', '7', phone, 'token']);
    assert.equal(priceRequest(judge, meter, 'async').details?.phone, undefined);
  });

  it('refuses a request whose plan, amount, product or wallet is not as the catalog has it', () => {
    const withoutWallets = { ...principal, merchant: { ...merchant, wallets: new Map() } };
    const closed = { ...principal, merchant: { ...merchant, suspended: true } };
    const unsold = { ...principal, merchant: { ...merchant, products: new Set(['data']) } };
    const refusals: readonly (readonly [PurchaseRequest, RequestFault['code']])[] = [
      [{ ...airtime, principal: withoutWallets }, 'no_wallet_to_pay'],
      [{ ...airtime, principal: closed }, 'merchant_suspended'],
      [{ ...airtime, principal: unsold }, 'product_not_enabled'],
      [{ ...data, planCode: undefined }, 'data_plan_missing'],
      [{ ...data, network: 'DSTV' }, 'data_plan_missing'],
      [{ ...data, planCode: 'NO-SUCH' }, 'data_plan_unknown'],
      [{ ...data, network: 'GLO' }, 'data_plan_of_other_network'],
      [{ ...data, faceValue: 1n }, 'amount_not_price'],
      [{ ...data, network: '9MOBILE', planCode: '9MOBILE-1', faceValue: 1n }, 'amount_of_no_plan'],
      [{ ...meter, planCode: '9' }, 'bill_plan_unknown'],
      [{ ...meter, planCode: '4' }, 'bill_plan_of_other_network'],
      [{ ...meter, planCode: '5' }, 'bill_plan_of_other_product'],
      [{ ...meter, faceValue: 1_00n }, 'amount_below'],
      [{ ...meter, recipient: 'x' }, 'customer_malformed'],
      [{ ...meter, phone: '1' }, 'phone_malformed'],
    ];
    for (const [request, code] of refusals) {
      assert.throws(() => priceRequest(judge, request, 'sync'), refusedFor(code), code);
    }
  });

  it('leaves out a provider that would sell at a loss, and refuses when none is left', () => {
    const two = judgeOf('none', 'none');
    const losing = (...names: string[]) => ({
      ...two,
      guards: { ...noGuards, stops: () => true, loses: (_: unknown, name: string) => names.includes(name) },
    });
    assert.deepEqual(priceRequest(losing('north'), airtime, 'sync').route, ['south']);
    assert.throws(() => priceRequest(losing('north', 'south'), airtime, 'sync'), refusedFor('no_provider'));
  });
});

describe('the customer of a bill', () => {
  const request = { ...meter, product: 'ELECTRICITY', serviceId: undefined } as const;

  it('is asked of the next provider only while none can answer', async () => {
    for (const [answers, kind, asked] of [
      [[verified, rejected], 'verified', ['north verified']],
      [[rejected, verified], 'rejected', ['north rejected']],
      [[unavailable, verified], 'verified', ['north unavailable', 'south verified']],
      [['broken', 'none'], 'unavailable', ['north unavailable', 'south unavailable']],
    ] as const) {
      const judge = judgeOf(...answers);
      assert.equal((await verifyBillCustomer(judge, request)).kind, kind);
      assert.deepEqual(judge.asked, asked);
    }
  });

  it('is verified by either id of the plan, within the limits of both, and refused without one', async () => {
    const judge = judgeOf(verified);
    const byService = { ...request, planCode: undefined, serviceId: 'ikeja-prepaid' };
    for (const by of [request, byService]) {
      const answer = await verifyBillCustomer(judge, by);
      const limits = { min: 200_00n, max: billPlan.maxAmount };
      assert.deepEqual(answer, { ...verified, limits });
    }
    for (const [by, code] of [
      [{ ...byService, serviceId: undefined }, 'bill_plan_unknown'],
      [{ ...request, recipient: 'x' }, 'customer_malformed'],
      [{ ...request, product: 'EDUCATION', network: 'WAEC', planCode: '6' }, 'network_without_customers'],
    ] as const) {
      await assert.rejects(verifyBillCustomer(judge, by), refusedFor(code));
    }
  });

  it('is stored with the purchase, or refuses it for a rejection, silence or a limit', async () => {
    const check = async (answer: Answering, faceValue: bigint) => {
      const judge = judgeOf(answer);
      const { judged, refusal } = await checkBillCustomer(
        judge,
        priceRequest(judge, { ...meter, faceValue }, 'sync'),
      );
      return [judged.details?.customer?.name, refusal?.reason];
    };
    const small: CustomerAnswer = { kind: 'verified', customer: { name: 'ADA', maxAmount: 150_00n } };
    assert.deepEqual(await check(verified, 200_00n), ['ADA', undefined]);
    assert.deepEqual(await check(verified, 199_00n), [undefined, 'amount_out_of_range']);
    assert.deepEqual(await check(small, 150_00n), ['ADA', undefined]);
    assert.deepEqual(await check(small, 151_00n), [undefined, 'amount_out_of_range']);
    assert.deepEqual(await check(rejected, 200_00n), [undefined, 'customer_rejected']);
    assert.deepEqual(await check('none', 200_00n), [undefined, 'not_verified']);
  });

  it('is not asked about on a network without customers', async () => {
    const judge = judgeOf(rejected);
    const pin = {
      ...meter,
      product: 'EDUCATION',
      network: 'WAEC',
      planCode: '6',
      msisdn: '08031234567',
    } as const;
    const priced = priceRequest(judge, { ...pin, recipient: '2348031234567' }, 'sync');
    assert.deepEqual([await checkBillCustomer(judge, priced), judge.asked], [{ judged: priced }, []]);
  });
});

describe('a reference', () => {
  it('is refused once it is used, and while purchases are locked', async () => {
    const find = (first: { id: string; status: 'success' } | undefined) => ({
      idempotencyLookup: { find: async () => first },
    });
    await refuseRepeated(find(undefined), airtime);
    await assert.rejects(
      refuseRepeated(find({ id: 'p-1', status: 'success' }), airtime),
      refusedFor('reference_used'),
    );
    assert.equal(requireSelling({ restoreLock: noRestoreLock }, airtime), undefined);
    const restoreLock = { ...noRestoreLock, isUp: () => true };
    assert.throws(() => requireSelling({ restoreLock }, airtime), refusedFor('purchases_locked'));
  });
});
