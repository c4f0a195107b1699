/**
 * The list of reasons, and every error of the core as the API returns it. Wording is not tested
 * here.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { purchaseFieldNames } from '../../src/api/plumbing/field-names.ts';
import { failureOf, outcomeWords } from '../../src/api/plumbing/outcome-words.ts';
import { allReasons, failureReasons, reasons } from '../../src/api/plumbing/reasons.ts';
import { refusalOf } from '../../src/api/plumbing/refusal-of.ts';
import { refusalDescriptions } from '../../src/api/plumbing/refusals.ts';
import { GatewayError } from '../../src/core/errors.ts';
import type { RequestFault, RequestFaults } from '../../src/core/request-fault.ts';
import { outcomeReasons } from '../../src/purchases/state/outcome-reason.ts';
import { readErrorsPage, withReasons } from '../support/write-reasons.ts';
import { airtimeSync, aPurchase, buildEdge, goodAirtime, purchaseId } from './harness.ts';

type Sample<Code extends keyof RequestFaults> = Omit<RequestFault<Code>, 'code'>;

const plan = { role: 'plan', product: 'CABLE', network: 'DSTV' } as const;
const place = { product: 'airtime', network: 'MTN' };
const naira = { currency: 'NGN' } as const;

/** The parameters of each error. The compiler requires one of each. */
const samples: { readonly [Code in keyof RequestFaults]: Sample<Code> } = {
  requests_full: {},
  purchases_full: {},
  providers_busy: { freeAfterMs: 2_100 },
  qr_codes_full: {},
  provider_look_ups_full: {},
  credentials_full: {},
  purchase_not_stored: {},
  look_ups_full: {},
  database_away: {},
  account_being_opened: {},
  no_provider: place,
  selling_paused: place,
  purchases_locked: {},
  no_exchange_rate: { currency: 'USD' },
  no_bank: { currency: 'USD' },
  order_not_served: {},
  availability_unknown: {},
  mtn_balances_unknown: {},
  bank_silent: {},
  merchant_suspended: {},
  product_not_enabled: { product: 'CABLE' },
  funding_not_enabled: naira,
  no_wallet_to_pay: naira,
  no_wallet: naira,
  no_funding_account: naira,
  funding_account_refused: { ...naira, reason: 'the BVN is not known' },
  reference_used: { role: 'reference', reference: 'order-1', purchaseId, status: 'success' },
  outcome_unknown: { reference: 'order-1', purchaseId },
  data_plan_missing: { role: 'plan' },
  data_plan_unknown: { role: 'plan', network: 'MTN' },
  data_plan_of_other_network: { role: 'plan', network: 'MTN', planNetwork: 'GLO' },
  bill_plan_unknown: plan,
  bill_plan_of_other_network: { ...plan, planNetwork: 'GOTV' },
  bill_plan_of_other_product: { ...plan, planProduct: 'BETTING' },
  card_not_available: { role: 'plan', fulfillment: 'out_of_stock', detail: undefined },
  plan_above_voucher: { role: 'plan', price: 2n, value: 1n },
  amount_not_price: { plan: 'MTN-1', price: 10_000n },
  amount_of_no_plan: { network: '9MOBILE' },
  amount_not_whole_naira: {},
  amount_below: { plan: '2001', min: 10_000n },
  amount_above: { plan: '2001', max: 10_000n },
  face_value_out_of_range: { min: 1n, max: 2n, currency: 'USD' },
  customer_malformed: { form: '10 digits' },
  number_malformed: { network: 'WAEC' },
  network_without_customers: { network: 'WAEC' },
  phone_missing: { product: 'BETTING' },
  phone_malformed: {},
  no_such_voucher: {},
  channel_not_offered: { channel: 'sms', offered: [] },
  cursor_of_other_statement: {},
  page_too_deep: {},
  event_cursor_unknown: {},
  event_cursor_expired: {},
  event_polls_full: {},
  endpoint_url_refused: { why: 'private' },
  endpoints_full: { max: 16 },
  no_endpoint: {},
  no_webhook_delivery: {},
  endpoint_disabled: {},
  test_credentials_only: {},
  batch_file_unreadable: { why: 'format' },
  batch_rows_full: { max: 10_000 },
  batch_column_missing: { column: 'network' },
  batch_column_repeated: { column: 'amount' },
  no_batch: {},
  batch_ended: { state: 'done' },
  batch_not_started: {},
  batch_has_duplicates: { count: 2 },
  batch_not_covered: { charge: 2n, available: 1n },
  test_clock_ends: { leftS: 3_600 },
  test_deposit_differs: { reference: 'transfer-1' },
  registrant_missing: { role: 'phone' },
  not_an_adult: {},
  email_taken: {},
  registration_refused: { reason: 'the BVN is not known' },
};

const faults = Object.entries(samples).map(([code, facts]) => ({ code, ...facts }) as RequestFault);

/** A gateway whose purchases and orders are all refused with `refusal`. */
let refusal: [RequestFault, ...RequestFault[]] = [{ code: 'requests_full' }];
const refuse = () => Promise.reject(new GatewayError(...refusal));
// Each error on a route that does not document it gets a more general reason.
const edge = await buildEdge(
  { purchases: { purchase: refuse, order: refuse, findPurchase: refuse } },
  { isHeldToDocument: false },
);
after(() => edge.app.close());

/** From now on the core refuses everything with it. */
function refuseWith(...given: typeof refusal): void {
  refusal = given;
  edge.logged.length = 0;
}

/** An error that a caller can correct by another value names the field, by its status. */
const withoutField: readonly (keyof RequestFaults)[] = [
  'endpoints_full',
  'endpoint_disabled',
  'batch_ended',
  'batch_not_started',
  'batch_has_duplicates',
  'batch_not_covered',
  'registration_refused',
];

describe('the list of reasons', () => {
  it('gives each reason statuses that a refusal or a failure can have, and one sentence', () => {
    for (const reason of allReasons) {
      const { statuses, meaning } = reasons[reason];
      assert.match(reason, /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
      assert.ok(statuses.length > 0, reason);
      for (const status of statuses) assert.ok(status === 200 || status in refusalDescriptions, reason);
      assert.ok(/\S+ \S+/.test(meaning) && meaning.endsWith('.'), `${reason} has a meaning`);
    }
  });

  it('has no reason that is never returned', () => {
    const root = join(import.meta.dirname, '..', '..', 'src', 'api');
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('plumbing/reasons.ts'))
      .map((name) => readFileSync(join(root, name), 'utf8'));
    const text = sources.join('\n');
    const known = new Set<string>([...Object.keys(samples), ...Object.values(failureReasons)]);
    const unused = allReasons.filter((reason) => !known.has(reason) && !text.includes(`'${reason}'`));
    assert.deepEqual(unused, []);
  });

  it('matches the errors page of the merchants: if not, run npm run reasons', () => {
    const text = readErrorsPage();
    assert.equal(text, withReasons(text));
    for (const reason of allReasons) assert.ok(text.includes(`- \`${reason}\``), reason);
  });

  it('detects a difference on the errors page', () => {
    const text = readErrorsPage().replace('- `field_missing`', '- `field_lost`');
    assert.notEqual(text, withReasons(text));
  });
});

describe('a fault of the core', () => {
  for (const fault of faults) {
    it(`refuses with its reason and status: ${fault.code}`, async () => {
      refuseWith(fault);
      const response = await edge.send('POST', airtimeSync, goodAirtime);
      const body = response.json();
      const statuses: readonly number[] = reasons[fault.code].statuses;
      assert.ok(statuses.includes(response.statusCode), `${response.statusCode}`);
      assert.equal(body.status, 'error');
      assert.equal(body.code, response.statusCode);
      assert.equal(body.reason, fault.code);
      assert.ok(body.message.length > 5);
      const isForNow = response.statusCode === 429 || response.statusCode === 503;
      assert.equal(/^[1-9]\d*$/.test(String(response.headers['retry-after'])), isForNow);
      const errors: { field: string; reason: string; message: string }[] = body.errors ?? [];
      for (const error of errors) {
        assert.ok(error.field !== '' && error.message !== '');
        assert.equal(error.reason, fault.code);
      }
      const isOfField = [400, 422].includes(response.statusCode) && !withoutField.includes(fault.code);
      assert.equal(errors.length, isOfField ? 1 : 0);
      assert.equal(edge.logged.filter((line) => line.level === 'error').length, 0);
    });
  }

  it('names the purchase when the fault is about one', async () => {
    for (const fault of faults) {
      refuseWith(fault);
      const { data } = (await edge.send('POST', airtimeSync, goodAirtime)).json();
      assert.equal(data?.internal_reference, 'purchaseId' in fault ? purchaseId : undefined, fault.code);
    }
  });

  it('states how long the provider is busy', async () => {
    refuseWith({ code: 'providers_busy', freeAfterMs: 2_100 });
    const response = await edge.send('POST', airtimeSync, goodAirtime);
    assert.equal(response.headers['retry-after'], '3');
  });

  it('names the reference as the route calls it', async () => {
    refuseWith({
      code: 'reference_used',
      role: 'reference',
      reference: 'esim-1',
      purchaseId,
      status: 'success',
    });
    const body = { request_id: 'esim-1', plan_id: 'NG-1GB-7D' };
    const response = await edge.send('POST', '/v1/esim/orders', body);
    assert.equal(response.statusCode, 422);
    const { errors, data } = response.json();
    assert.deepEqual(namesOf(errors), [['request_id', 'reference_used']]);
    assert.deepEqual(data, {
      request_id: 'esim-1',
      internal_reference: purchaseId,
      status: 'success',
      response_code: '00',
    });
    assert.equal(edge.logged[0]?.fields.purchase, purchaseId);
  });

  it('names the plan as the route does, with the provider’s text', async () => {
    const detail = 'The provider has none left';
    refuseWith({ code: 'card_not_available', role: 'plan', fulfillment: 'out_of_stock', detail });
    const order = { request_id: 'card-1', plan_id: 300002 };
    const ordered = (await edge.send('POST', '/v1/giftcards/orders', order)).json();
    assert.deepEqual(namesOf(ordered.errors), [['plan_id', 'card_not_available']]);
    assert.ok(ordered.errors[0].message.includes(detail));
    refuseWith({ code: 'plan_above_voucher', role: 'plan', price: 2n, value: 1n });
    const redeemed = await edge.send('POST', '/v1/giftcards/redeem', {
      request_id: 'esim-2',
      code: '4F7K-9QXM-2D8H-B3TG',
      product: 'ESIM',
      plan: 'NG-1GB-7D',
    });
    assert.deepEqual(namesOf(redeemed.json().errors), [['plan', 'plan_above_voucher']]);
  });

  it('names a path of the bill plans that can be requested unchanged', async () => {
    const of = { role: 'plan', product: 'ELECTRICITY', network: 'Ikeja Electric' } as const;
    for (const fault of [
      { code: 'bill_plan_unknown', ...of },
      { code: 'bill_plan_of_other_network', ...of, planNetwork: 'EKEDC' },
      { code: 'bill_plan_of_other_product', ...of, planProduct: 'CABLE' },
    ] as const) {
      refuseWith(fault);
      const response = await edge.send('POST', airtimeSync, goodAirtime);
      const path = /GET (\S+)/.exec(response.json().message)?.[1] ?? '';
      const { searchParams } = new URL(path, 'http://oja.test');
      assert.equal(searchParams.get('network'), of.network, fault.code);
    }
  });

  it('merges faults into one refusal: 422 if only required fields are missing', async () => {
    const phone: RequestFault = { code: 'phone_missing', product: 'BETTING' };
    const dataPlan: RequestFault = { code: 'data_plan_missing', role: 'plan' };
    const amount: RequestFault = { code: 'amount_not_whole_naira' };
    for (const [given, status, reason] of [
      [[phone, phone], 422, 'phone_missing'],
      [[phone, dataPlan], 422, 'field_missing'],
      [[phone, amount], 400, 'field_invalid'],
      [[amount, phone], 400, 'field_invalid'],
    ] as const) {
      refuseWith(given[0], given[1]);
      const response = await edge.send('POST', airtimeSync, goodAirtime);
      assert.equal(response.statusCode, status);
      const body = response.json();
      assert.equal(body.reason, reason);
      assert.deepEqual(
        body.errors.map((error: { reason: string }) => error.reason),
        given.map(({ code }) => code),
      );
      for (const error of body.errors) assert.ok(body.message.includes(error.message));
    }
  });

  it('uses another text for a lookup that could be mistaken for the purchase', () => {
    for (const code of ['requests_full', 'no_provider', 'selling_paused', 'purchases_locked'] as const) {
      const fault = { code, ...samples[code] } as RequestFault;
      const [read, sent] = [true, false].map((isRead) => refusalOf([fault], purchaseFieldNames, { isRead }));
      assert.notEqual(read?.message, sent?.message, code);
      assert.equal(read?.reason, sent?.reason);
    }
  });
});

describe('a failed purchase', () => {
  it('has a reason of the list and a text for each way to fail', () => {
    for (const reason of outcomeReasons.filter((one) => one !== 'delivered')) {
      const purchase = aPurchase({}, { status: 'failed', reason });
      const told = failureOf(purchase).reason;
      assert.ok(told !== undefined && told in reasons, reason);
      assert.ok(outcomeWords(purchase).length > 5, reason);
    }
  });

  it('is the only fault with a reason', () => {
    assert.deepEqual(failureOf(aPurchase()), {});
    assert.deepEqual(failureOf(aPurchase({}, { status: 'pending', reason: undefined })), {});
  });
});

function namesOf(errors: readonly { field: string; reason: string }[]): [string, string][] {
  return errors.map(({ field, reason }) => [field, reason]);
}
