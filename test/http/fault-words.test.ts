/** Every fault that the core can refuse a request for, in the words and the status of the wire. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { GatewayError } from '../../src/kernel/errors.ts';
import type { RequestFault, RequestFaults } from '../../src/kernel/request-fault.ts';
import { airtimeSync, buildEdge, goodAirtime, vendId } from './harness.ts';

type Case<Fault> = {
  readonly fault: Fault;
  readonly status: number;
  readonly message: string;
  readonly field?: string;
  readonly retryAfter?: string;
};

const cases: { readonly [Code in keyof RequestFaults]: Case<RequestFault<Code>> } = {
  requests_full: {
    fault: { code: 'requests_full' },
    status: 503,
    message: 'Too many requests are under way; nothing was stored, send again',
    retryAfter: '1',
  },
  purchases_full: {
    fault: { code: 'purchases_full' },
    status: 503,
    message: 'The service is busy; nothing was stored, send again',
    retryAfter: '1',
  },
  providers_busy: {
    fault: { code: 'providers_busy', freeAfterMs: 2_100 },
    status: 503,
    message: 'The provider is busy; nothing was stored, send again',
    retryAfter: '3',
  },
  qr_codes_full: {
    fault: { code: 'qr_codes_full' },
    status: 503,
    message: 'Too many QR codes are being drawn: try again a little later',
    retryAfter: '1',
  },
  provider_look_ups_full: {
    fault: { code: 'provider_look_ups_full' },
    status: 503,
    message: 'Too many look-ups wait for the provider; nothing was stored, send again',
    retryAfter: '1',
  },
  credentials_full: {
    fault: { code: 'credentials_full' },
    status: 503,
    message: 'Too many credentials are being looked up: try again a little later',
    retryAfter: '1',
  },
  purchase_not_stored: {
    fault: { code: 'purchase_not_stored' },
    status: 503,
    message: 'The service is busy; nothing was stored, send again',
    retryAfter: '1',
  },
  look_ups_full: {
    fault: { code: 'look_ups_full' },
    status: 429,
    message: 'Too many of your look-ups are under way: try again a little later',
    retryAfter: '1',
  },
  database_away: {
    fault: { code: 'database_away' },
    status: 503,
    message: 'The service is busy at the moment: try again a little later',
    retryAfter: '1',
  },
  list_being_completed: {
    fault: { code: 'list_being_completed' },
    status: 503,
    message:
      'After an upgrade your older purchases are being made ready for lists by network and msisdn: try again a little later, or list without the two',
    retryAfter: '30',
  },
  account_being_opened: {
    fault: { code: 'account_being_opened' },
    status: 503,
    message: 'The account is being opened: send the same request again',
    retryAfter: '1',
  },
  no_provider: {
    fault: { code: 'no_provider', product: 'airtime', network: 'MTN' },
    status: 503,
    message: 'No provider serves airtime for MTN at the moment; nothing was stored',
    retryAfter: '30',
  },
  selling_paused: {
    fault: { code: 'selling_paused', product: 'airtime', network: 'MTN' },
    status: 503,
    message: 'airtime for MTN is not sold at the moment; nothing was stored',
    retryAfter: '30',
  },
  selling_fenced: {
    fault: { code: 'selling_fenced' },
    status: 503,
    message:
      'Nothing is sold until purchases of the last hours are brought back from the providers; nothing was stored, send again later, with the same reference',
    retryAfter: '30',
  },
  no_exchange_rate: {
    fault: { code: 'no_exchange_rate', currency: 'USD' },
    status: 503,
    message: 'Nothing in USD is sold at the moment: no exchange rate is set',
    retryAfter: '30',
  },
  no_bank: {
    fault: { code: 'no_bank', currency: 'USD' },
    status: 503,
    message: 'No bank serves USD accounts at the moment',
  },
  order_not_served: {
    fault: { code: 'order_not_served' },
    status: 502,
    message:
      'The provider cannot serve this order at the moment; nothing was stored: try again a little later',
  },
  availability_unknown: {
    fault: { code: 'availability_unknown' },
    status: 502,
    message: 'Whether the card is available cannot be said at the moment: try again a little later',
  },
  mtn_balances_unknown: {
    fault: { code: 'mtn_balances_unknown' },
    status: 502,
    message: 'The balances could not be read at the moment: try again a little later',
  },
  bank_silent: {
    fault: { code: 'bank_silent' },
    status: 502,
    message:
      'The bank did not answer: your registration is stored; send the same request again, or look later',
  },
  merchant_suspended: {
    fault: { code: 'merchant_suspended' },
    status: 403,
    message:
      'This merchant is suspended: it can look up what it has, and buy nothing; ask your account manager',
  },
  product_not_enabled: {
    fault: { code: 'product_not_enabled', product: 'CABLE' },
    status: 403,
    message: 'The product CABLE is not enabled for this merchant',
  },
  funding_not_enabled: {
    fault: { code: 'funding_not_enabled', currency: 'NGN' },
    status: 403,
    message: 'Bank funding is not enabled for the NGN wallet',
  },
  no_wallet_to_pay: {
    fault: { code: 'no_wallet_to_pay', currency: 'NGN' },
    status: 404,
    message: 'No NGN wallet is enrolled for this merchant',
  },
  no_wallet: {
    fault: { code: 'no_wallet', currency: 'EUR' },
    status: 404,
    message: 'No EUR wallet is enrolled',
  },
  no_funding_account: {
    fault: { code: 'no_funding_account', currency: 'NGN' },
    status: 404,
    message: 'No NGN funding account: create it first',
  },
  funding_account_refused: {
    fault: { code: 'funding_account_refused', currency: 'NGN', reason: 'the BVN is not known' },
    status: 404,
    message: 'No NGN funding account: the BVN is not known',
  },
  reference_used: {
    fault: { code: 'reference_used', role: 'reference', reference: 'r', vendId, status: 'failed' },
    status: 422,
    message: 'This reference was used before; query its status instead of sending it again',
    field: 'request_ref',
  },
  outcome_unknown: {
    fault: { code: 'outcome_unknown', reference: 'r', vendId },
    status: 500,
    message: 'The outcome is not known yet; query the status of this reference, do not send it again',
  },
  data_plan_missing: {
    fault: { code: 'data_plan_missing', role: 'plan' },
    status: 422,
    message: 'plan_code is required: one from the data plans list',
    field: 'plan_code',
  },
  data_plan_unknown: {
    fault: { code: 'data_plan_unknown', role: 'plan', network: '9MOBILE' },
    status: 400,
    message: 'plan_code names no 9MOBILE data plan; see GET /v1/plans/9mobile',
    field: 'plan_code',
  },
  data_plan_of_other_network: {
    fault: {
      code: 'data_plan_of_other_network',
      role: 'plan',
      network: 'MTN',
      planNetwork: 'GLO',
    },
    status: 400,
    message: 'plan_code is a plan of GLO, not of MTN',
    field: 'plan_code',
  },
  bill_plan_unknown: {
    fault: { code: 'bill_plan_unknown', role: 'plan', product: 'CABLE', network: 'DSTV' },
    status: 400,
    message: 'plan_code names no CABLE plan of DSTV; see GET /v1/plans/bills/cable',
    field: 'plan_code',
  },
  bill_plan_of_other_network: {
    fault: {
      code: 'bill_plan_of_other_network',
      role: 'service',
      product: 'CABLE',
      network: 'DSTV',
      planNetwork: 'GOTV',
    },
    status: 400,
    message: 'service_id is a plan of GOTV, not of DSTV; see GET /v1/plans/bills/cable',
    field: 'service_id',
  },
  bill_plan_of_other_product: {
    fault: {
      code: 'bill_plan_of_other_product',
      role: 'plan',
      product: 'CABLE',
      network: 'DSTV',
      planProduct: 'BETTING',
    },
    status: 400,
    message: 'plan_code is a plan of BETTING, not of CABLE; see GET /v1/plans/bills/cable',
    field: 'plan_code',
  },
  card_not_available: {
    fault: { code: 'card_not_available', role: 'plan', fulfillment: 'out_of_stock', detail: undefined },
    status: 400,
    message: 'plan_code: Out of stock',
    field: 'plan_code',
  },
  plan_above_voucher: {
    fault: { code: 'plan_above_voucher', role: 'plan', price: 346_915n, value: 100_000n },
    status: 400,
    message:
      'plan_code costs 3469.15 naira, more than the 1000.00 of the voucher: name a plan that costs no more',
    field: 'plan_code',
  },
  amount_not_price: {
    fault: { code: 'amount_not_price', plan: 'MTN-1', price: 10_000n },
    status: 400,
    message: 'amount must equal the price of MTN-1: 100.00',
    field: 'amount',
  },
  amount_of_no_plan: {
    fault: { code: 'amount_of_no_plan', network: '9MOBILE' },
    status: 400,
    message: 'amount must be the price of a 9MOBILE data plan; see GET /v1/plans/9mobile',
    field: 'amount',
  },
  amount_not_whole_naira: {
    fault: { code: 'amount_not_whole_naira' },
    status: 400,
    message: 'amount must be whole naira here, such as "1000.00"',
    field: 'amount',
  },
  amount_below: {
    fault: { code: 'amount_below', plan: 'Ikeja Electric Prepaid', min: 100_000n },
    status: 400,
    message: 'amount must be at least 1000.00 for Ikeja Electric Prepaid',
    field: 'amount',
  },
  amount_above: {
    fault: { code: 'amount_above', plan: 'Ikeja Electric Prepaid', max: 5_000_000n },
    status: 400,
    message: 'amount must be at most 50000.00 for Ikeja Electric Prepaid',
    field: 'amount',
  },
  face_value_out_of_range: {
    fault: { code: 'face_value_out_of_range', min: 500n, max: 50_000n, currency: 'USD' },
    status: 400,
    message: 'face_value must be from 5.00 to 500.00 USD',
    field: 'face_value',
  },
  customer_malformed: {
    fault: { code: 'customer_malformed', form: 'a smartcard or IUC number' },
    status: 400,
    message: 'msisdn must be a smartcard or IUC number',
    field: 'msisdn',
  },
  number_malformed: {
    fault: { code: 'number_malformed', network: 'WAEC' },
    status: 400,
    message: 'msisdn must be a Nigerian mobile number such as "08031234567" for WAEC',
    field: 'msisdn',
  },
  network_without_customers: {
    fault: { code: 'network_without_customers', network: 'WAEC' },
    status: 400,
    message: 'network WAEC has nobody to verify: what it sells is for a mobile number',
    field: 'network',
  },
  phone_missing: {
    fault: { code: 'phone_missing', product: 'BETTING' },
    status: 422,
    message: "phone is required for BETTING: the customer's mobile number",
    field: 'phone',
  },
  phone_malformed: {
    fault: { code: 'phone_malformed' },
    status: 400,
    message: 'phone must be a Nigerian mobile number such as "08031234567"',
    field: 'phone',
  },
  no_such_voucher: {
    fault: { code: 'no_such_voucher' },
    status: 400,
    message: 'code names no voucher that can be redeemed',
    field: 'code',
  },
  channel_not_offered: {
    fault: { code: 'channel_not_offered', channel: 'sms', offered: ['email', 'whatsapp'] },
    status: 400,
    message: 'send_via must be one of email, whatsapp: this gateway sends nothing by sms',
    field: 'send_via',
  },
  cursor_of_other_statement: {
    fault: { code: 'cursor_of_other_statement' },
    status: 400,
    message: 'cursor must be the next_cursor of the page before, with the same days and currency',
    field: 'cursor',
  },
  event_cursor_unknown: {
    fault: { code: 'event_cursor_unknown' },
    status: 400,
    message: 'after must be the cursor of an answer before, of the same merchant and environment',
    field: 'after',
  },
  event_cursor_expired: {
    fault: { code: 'event_cursor_expired' },
    status: 400,
    message:
      'after is too old: some events after it are not kept any more; begin anew without it, and look up what you miss',
    field: 'after',
  },
  event_polls_full: {
    fault: { code: 'event_polls_full' },
    status: 429,
    message: 'Too many of your questions for events wait for an answer: let those end first',
    retryAfter: '1',
  },
  endpoint_url_refused: {
    fault: { code: 'endpoint_url_refused', why: 'private' },
    status: 400,
    message: 'url must be on the public internet: this address is of a private or reserved network',
    field: 'url',
  },
  endpoints_full: {
    fault: { code: 'endpoints_full', max: 5 },
    status: 400,
    message: 'There are 5 endpoints already, as many as there may be: delete one first',
  },
  no_endpoint: {
    fault: { code: 'no_endpoint' },
    status: 404,
    message: 'No endpoint with this id',
  },
  no_webhook_delivery: {
    fault: { code: 'no_webhook_delivery' },
    status: 404,
    message: 'No delivery with this id',
  },
  endpoint_disabled: {
    fault: { code: 'endpoint_disabled' },
    status: 400,
    message: 'The endpoint is disabled: enable it first',
  },
  test_credentials_only: {
    fault: { code: 'test_credentials_only' },
    status: 403,
    message:
      'This is for test credentials only, and this credential is live: use one that begins with oja_test_',
  },
  test_clock_ends: {
    fault: { code: 'test_clock_ends', leftS: 3_600 },
    status: 400,
    message: 'advance_s must be at most 3600 now: the test clock has been moved so far already',
    field: 'advance_s',
  },
  test_deposit_differs: {
    fault: { code: 'test_deposit_differs', reference: 'transfer-1' },
    status: 422,
    message:
      'The transfer transfer-1 was played before with another amount or currency: send another reference',
    field: 'reference',
  },
  registrant_missing: {
    fault: { code: 'registrant_missing', role: 'phone' },
    status: 422,
    message: 'phone_number is required: a phone number such as "08031234567"',
    field: 'phone_number',
  },
  not_an_adult: {
    fault: { code: 'not_an_adult' },
    status: 400,
    message: 'date_of_birth must be that of an adult, as "YYYY-MM-DD"',
    field: 'date_of_birth',
  },
  email_taken: {
    fault: { code: 'email_taken' },
    status: 400,
    message: 'email is registered for the funding account of another profile: send another',
    field: 'email',
  },
  registration_refused: {
    fault: { code: 'registration_refused', reason: 'the BVN is not known' },
    status: 400,
    message: 'No account was opened: the BVN is not known',
  },
};

/** A gateway whose purchases and orders are all refused for `faults`. */
let refusal: [RequestFault, ...RequestFault[]] = [{ code: 'requests_full' }];
const refuse = () => Promise.reject(new GatewayError(...refusal));
// Each fault on a route that may not know it: more than the document says.
const edge = await buildEdge(
  { vending: { vend: refuse, order: refuse, findVend: refuse } },
  { isHeldToDocument: false },
);
after(() => edge.app.close());

/** From now on the core refuses everything so. */
function refuseWith(...faults: typeof refusal): void {
  refusal = faults;
  edge.logged.length = 0;
}

describe('what the core refuses a request for', () => {
  for (const { fault, status, message, field, retryAfter } of Object.values(cases)) {
    it(`is told: ${fault.code}`, async () => {
      refuseWith(fault);
      const response = await edge.send('POST', airtimeSync, goodAirtime);
      assert.equal(response.statusCode, status);
      assert.equal(response.headers['retry-after'], retryAfter);
      const { errors = [], data: _data, ...told } = response.json();
      assert.deepEqual(told, { status: 'error', code: status, message });
      assert.deepEqual(
        errors.map((error: { field: string }) => error.field),
        field === undefined ? [] : [field],
      );
      assert.equal(edge.logged.filter((line) => line.level === 'error').length, 0);
    });
  }

  it('is said of the field by the name that the route has for it', async () => {
    refuseWith({
      code: 'reference_used',
      role: 'reference',
      reference: 'esim-1',
      vendId,
      status: 'success',
    });
    const body = { request_id: 'esim-1', plan_id: 'NG-1GB-7D' };
    const response = await edge.send('POST', '/v1/esim/orders', body);
    assert.equal(response.statusCode, 422);
    const { errors, data } = response.json();
    assert.deepEqual(errors, [
      { field: 'request_id', message: 'request_id must be unique for the merchant' },
    ]);
    assert.deepEqual(data, {
      request_id: 'esim-1',
      internal_reference: vendId,
      status: 'success',
      response_code: '00',
    });
    assert.equal(edge.logged[0]?.fields.vend, vendId);
  });

  it('is told of the plan by the name that the route has for it', async () => {
    const soldOut: RequestFault = {
      code: 'card_not_available',
      role: 'plan',
      fulfillment: 'out_of_stock',
      detail: 'The provider has none left',
    };
    refuseWith(soldOut);
    const order = { request_id: 'card-1', plan_id: 300002 };
    const ordered = await edge.send('POST', '/v1/giftcards/orders', order);
    assert.deepEqual(ordered.json().errors, [
      { field: 'plan_id', message: 'plan_id: The provider has none left' },
    ]);
    refuseWith({ code: 'plan_above_voucher', role: 'plan', price: 2n, value: 1n });
    const redeemed = await edge.send('POST', '/v1/giftcards/redeem', {
      request_id: 'esim-2',
      code: '4F7K-9QXM-2D8H-B3TG',
      product: 'ESIM',
      plan: 'NG-1GB-7D',
    });
    assert.equal(redeemed.json().errors[0].field, 'plan');
  });

  it('is one refusal for all: 422 where nothing but required fields are missing', async () => {
    const missing: RequestFault = { code: 'phone_missing', product: 'BETTING' };
    const wrong: RequestFault = { code: 'amount_not_whole_naira' };
    for (const [faults, status] of [
      [[missing, missing], 422],
      [[missing, wrong], 400],
      [[wrong, missing], 400],
    ] as const) {
      refuseWith(faults[0], faults[1]);
      const response = await edge.send('POST', airtimeSync, goodAirtime);
      assert.equal(response.statusCode, status);
      const { message, errors } = response.json();
      assert.equal(errors.length, 2);
      assert.equal(message, errors.map((error: { message: string }) => error.message).join('; '));
    }
  });

  it('never says "send again" to who looks something up', async () => {
    const faults: readonly RequestFault[] = Object.values(cases).map(({ fault }) => fault);
    for (const fault of faults) {
      refuseWith(fault);
      const looked = await edge.send('GET', '/v1/transactions/status?request_ref=x');
      const { message } = looked.json();
      if (looked.statusCode === 503 && fault.code !== 'account_being_opened') {
        assert.doesNotMatch(message, /send|nothing was stored/, fault.code);
      }
    }
    const cards = { code: 'no_provider', product: 'GIFTCARD', network: 'GIFTCARD' } as const;
    refuseWith(cards);
    const { message } = (await edge.send('GET', '/v1/transactions/status?request_ref=x')).json();
    assert.equal(message, 'No provider serves GIFTCARD at the moment');
  });

  it('tells where no channel is offered at all', async () => {
    refuseWith({ code: 'channel_not_offered', channel: 'sms', offered: [] });
    const response = await edge.send('POST', airtimeSync, goodAirtime);
    assert.equal(
      response.json().message,
      'send_via must be not offered here: this gateway sends nothing by sms',
    );
  });
});
