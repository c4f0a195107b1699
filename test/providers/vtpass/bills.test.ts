/**
 * Bills at VTpass as data: the requests, every spelling of a token, and every result of
 * verification.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Customer } from '../../../src/core/products/customer.ts';
import type { CustomerQuery, ProviderOrder } from '../../../src/providers/provider.ts';
import { answerToVerification } from '../../../src/providers/vtpass/customer.ts';
import { answerToPay, answerToQuery } from '../../../src/providers/vtpass/mapping.ts';
import { toPurchase, toVerification } from '../../../src/providers/vtpass/purchase.ts';
import { runs } from '../../support/budget.ts';
import { reply } from '../connector-replies.ts';

const REFERENCE = '202611211530abcdefghijklmnopqrstuvwx';
const TOKEN = '26362054405982757802';
const KCT1 = '11112222333344445555';
const KCT2 = '66667777888899990000';
const BONUS = '98765432109876543210';

const METER: ProviderOrder = {
  reference: REFERENCE,
  product: 'ELECTRICITY',
  network: 'Ikeja Electric',
  recipient: '45002000001',
  amount: 2_000_00n,
  currency: 'NGN',
  phone: '2348031234567',
  planCodes: { service_id: 'ikeja-electric', variation_code: 'prepaid' },
};

const CARD: ProviderOrder = {
  ...METER,
  product: 'CABLE',
  network: 'DSTV',
  recipient: '7002000001',
  amount: 4_400_00n,
  planCodes: { service_id: 'dstv', variation_code: 'dstv-padi' },
};

describe('a bill at VTpass', () => {
  const METER_BODY = {
    request_id: REFERENCE,
    serviceID: 'ikeja-electric',
    billersCode: '45002000001',
    amount: '2000.00',
    phone: '08031234567',
    variation_code: 'prepaid',
  };

  it('sends meter, kind, amount and phone for electricity', () => {
    assert.deepEqual(toPurchase(METER, undefined), { body: METER_BODY });
    const postpaid = { ...METER, planCodes: { service_id: 'jos-electric', variation_code: 'postpaid' } };
    assert.deepEqual(toPurchase(postpaid, undefined), {
      body: { ...METER_BODY, serviceID: 'jos-electric', variation_code: 'postpaid' },
    });
  });

  it('prefers the customer’s phone to the contact phone', () => {
    assert.deepEqual(toPurchase(METER, '2348030000001'), { body: METER_BODY });
    const { phone: _, ...silent } = METER;
    assert.deepEqual(toPurchase(silent, '2348030000001'), { body: { ...METER_BODY, phone: '08030000001' } });
    assert.deepEqual(toPurchase(silent, undefined), { lacks: 'phone' });
  });

  it('sends no bill without its codes', () => {
    for (const planCodes of [{}, { service_id: 'ikeja-electric' }, { variation_code: 'prepaid' }]) {
      assert.deepEqual(toPurchase({ ...METER, planCodes }, undefined), { lacks: 'code' });
      assert.equal(toVerification({ ...METER, planCodes }), undefined);
    }
    const other = { service_id: 'ikeja-electric', variation_code: 'weekly' };
    assert.deepEqual(toPurchase({ ...METER, planCodes: other }, undefined), { lacks: 'code' });
    assert.deepEqual(toPurchase({ ...CARD, planCodes: { service_id: 'dstv' } }, undefined), {
      lacks: 'code',
    });
  });

  it('renews DSTV and GOtv only for the same bouquet at the exact amount due', () => {
    const typeOf = (customer: Partial<Customer>, service_id = 'dstv'): unknown => {
      const planCodes = { service_id, variation_code: 'dstv-padi' };
      const purchase = toPurchase({ ...CARD, planCodes, customer: { name: 'ADA', ...customer } }, undefined);
      if (!('body' in purchase)) return purchase;
      const { subscription_type, variation_code, quantity, amount } = purchase.body;
      return [subscription_type, variation_code, quantity, amount];
    };
    const due = { currentBouquetCode: 'dstv-padi', renewalAmount: 4_400_00n };
    const change = ['change', 'dstv-padi', '1', '4400.00'];
    for (const service of ['dstv', 'gotv']) {
      assert.deepEqual(typeOf(due, service), ['renew', undefined, '1', '4400.00']);
      assert.deepEqual(typeOf({ ...due, currentBouquetCode: 'dstv-yanga' }, service), change);
      assert.deepEqual(typeOf({ ...due, renewalAmount: 4_000_00n }, service), change);
      assert.deepEqual(typeOf({ currentBouquetCode: 'dstv-padi' }, service), change);
      assert.deepEqual(typeOf({ renewalAmount: 4_400_00n }, service), change);
    }
    assert.deepEqual(typeOf(due, 'startimes'), [undefined, 'dstv-padi', undefined, '4400.00']);
  });

  it('renews a renewal plan, at no other amount than is due', () => {
    const planCodes = { service_id: 'gotv', subscription_type: 'renew' };
    const order = { ...CARD, planCodes };
    const purchase = toPurchase(order, undefined);
    assert.ok('body' in purchase && purchase.body.subscription_type === 'renew');
    const owing = { ...order, customer: { name: 'ADA', renewalAmount: 5_000_00n } };
    assert.deepEqual(toPurchase(owing, undefined), { amountDue: 5_000_00n });
    assert.ok('body' in toPurchase({ ...owing, amount: 5_000_00n }, undefined));
  });

  it('verifies by the same codes', () => {
    assert.deepEqual(toVerification(METER), {
      billersCode: '45002000001',
      serviceID: 'ikeja-electric',
      type: 'prepaid',
    });
    assert.deepEqual(toVerification(CARD), { billersCode: '7002000001', serviceID: 'dstv' });
    assert.deepEqual(
      toVerification({ ...CARD, planCodes: { service_id: 'gotv', subscription_type: 'renew' } }),
      {
        billersCode: '7002000001',
        serviceID: 'gotv',
      },
    );
  });
});

/** The fields are in the transaction, and not at the top level. */
const inTransaction = (fields: object): object => ({
  content: { transactions: { status: 'delivered', ...fields } },
});

describe('the goods of electricity', () => {
  const goods = (fields: object, order = METER): unknown => {
    const body = { code: '000', content: { transactions: { status: 'delivered' } }, ...fields };
    const answers = [answerToPay(order, reply(body)), answerToQuery(order, reply(body))].map((answer) => {
      assert.equal(answer.kind, 'success');
      return answer.kind === 'success' ? answer.goods : undefined;
    });
    assert.deepEqual(answers[0], answers[1]);
    return answers[0];
  };

  it('reads goods in every spelling', () => {
    const spellings: readonly (readonly [object, object])[] = [
      [{ token: TOKEN }, { token: TOKEN }],
      [
        { Token: TOKEN, units: '79.9 kWh' },
        { token: TOKEN, units: '79.9' },
      ],
      [
        { mainToken: TOKEN, mainTokenUnits: '1,079.9 kWh' },
        { token: TOKEN, units: '1079.9' },
      ],
      [
        { purchased_code: `Token : ${TOKEN}`, units: 8.2 },
        { token: TOKEN, units: '8.2' },
      ],
      [{ purchased_code: `Token: ${TOKEN}, Units: 8.2` }, { token: TOKEN }],
      [
        { token: '2636-2054-4059-8275-7802', units: 8 },
        { token: TOKEN, units: '8' },
      ],
      [{ token: ' 2636 2054 4059 8275 7802 ', units: 'none' }, { token: TOKEN }],
      [{ token: '', Token: null, purchased_code: TOKEN }, { token: TOKEN }],
      [{ token: 'pending', purchased_code: `Token : ${TOKEN}` }, { token: TOKEN }],
      [
        { token: TOKEN, kct1: KCT1, kct2: KCT2 },
        { token: TOKEN, kct1: KCT1, kct2: KCT2 },
      ],
      [
        { token: TOKEN, KCT1, KCT2 },
        { token: TOKEN, kct1: KCT1, kct2: KCT2 },
      ],
      [{ token: TOKEN, KCT1: '', kct2: null }, { token: TOKEN }],
      [{ token: TOKEN, appliedToArrears: '2000.00' }, { token: TOKEN }],
      [
        { Token: TOKEN, PurchasedUnits: 61.4 },
        { token: TOKEN, units: '61.4' },
      ],
      [
        { token: TOKEN, Units: '8.2' },
        { token: TOKEN, units: '8.2' },
      ],
      [
        { token: TOKEN, units: 'N/A', mainTokenUnits: '8.2' },
        { token: TOKEN, units: '8.2' },
      ],
      // Ikeja's key change.
      [
        { token: TOKEN, resetToken: KCT1, configureToken: KCT2 },
        { token: TOKEN, kct1: KCT1, kct2: KCT2 },
      ],
      [{ token: TOKEN, resetToken: 'null', configureToken: 'N/A', kct1: 'null' }, { token: TOKEN }],
      // Eko's bonus, as a field or in one text.
      [
        { mainToken: TOKEN, bonusToken: BONUS },
        { token: TOKEN, bonus_token: BONUS },
      ],
      [{ token: `${TOKEN}, ${BONUS}` }, { token: TOKEN, bonus_token: BONUS }],
      [
        { purchased_code: `Token : 2636-2054-4059-8275-7802 / ${BONUS}` },
        { token: TOKEN, bonus_token: BONUS },
      ],
      [{ mainToken: TOKEN, bonusToken: 'N/A' }, { token: TOKEN }],
      [{ token: `${TOKEN} ${TOKEN}` }, { token: TOKEN }],
      ...[
        `KCT1: ${KCT1}, KCT2: ${KCT2}, Token: ${TOKEN}`,
        `KCT 1: ${KCT1} KCT 2: ${KCT2} Token: ${TOKEN}`,
        `Token: ${TOKEN}; Key Change Token 1 - ${KCT1}; Key Change Token 2 - ${KCT2}`,
        `Key change tokens: ${KCT1}, ${KCT2}. Token: ${TOKEN}`,
        `Load KCT1 and KCT2 before the token. KCT-1= 1111-2222-3333-4444-5555, KCT-2= ${KCT2}, Token= ${TOKEN}`,
        `Reset Token: ${KCT1}\nConfigure Token: ${KCT2}\nRecharge token: ${TOKEN}`,
        `${KCT1} (KCT1), ${KCT2} (KCT2), ${TOKEN} (Token)`,
        `Tokens: ${KCT1} (KCT1), ${KCT2} (KCT2), ${TOKEN} (Token)`,
        `Token1: ${KCT1} [KCT1] Token2: ${KCT2} [KCT2] Token3: ${TOKEN}`,
        `Tokens: ${KCT1} - KCT1, ${KCT2} - KCT2, ${TOKEN} - Token`,
        `Token: ${TOKEN} KCT1: ${KCT1} KCT2: ${KCT2}`,
        `Token: ${TOKEN} (load KCT1 ${KCT1} and KCT2 ${KCT2} first)`,
        `${TOKEN}, KCT1: ${KCT1}, KCT2: ${KCT2}`,
        `kct1 ${KCT1} kct2 ${KCT2} token ${TOKEN}`,
        `KCT (1): ${KCT1} KCT (2): ${KCT2} Token: ${TOKEN}`,
        `K.C.T 1: ${KCT1} K.C.T 2: ${KCT2} Token: ${TOKEN}`,
        `<b>KCT1</b> ${KCT1}<br>KCT2 ${KCT2}<br>Token ${TOKEN}`,
        `SGC change: ${KCT1} ${KCT2} Token ${TOKEN}`,
      ].map((text): readonly [object, object] => [
        { purchased_code: text },
        { token: TOKEN, kct1: KCT1, kct2: KCT2 },
      ]),
      [
        { token: `Tokens: ${KCT1} (KCT1), ${KCT2} (KCT2), ${TOKEN} (Token), ${BONUS} (Bonus)` },
        { token: TOKEN, bonus_token: BONUS, kct1: KCT1, kct2: KCT2 },
      ],
      [{ token: `Token: ${TOKEN} (no KCT needed)` }, { token: TOKEN }],
      [{ token: `KCT1: null KCT2: null ${TOKEN}` }, { token: TOKEN }],
      [
        { token: TOKEN, KCT: `${KCT1}, ${KCT2}` },
        { token: TOKEN, kct1: KCT1, kct2: KCT2 },
      ],
      [
        { token: KCT1, kct: `${KCT1}, ${KCT2}`, mainToken: TOKEN },
        { token: TOKEN, kct1: KCT1, kct2: KCT2 },
      ],
      [{ token: TOKEN, bonusToken: `KCT1: ${KCT1}` }, { token: TOKEN }],
      [{ token: `No KCT is needed. Token: ${TOKEN}, ${BONUS}` }, { token: TOKEN, bonus_token: BONUS }],
      [
        { token: TOKEN, units: '.70' },
        { token: TOKEN, units: '0.70' },
      ],
      [
        { token: TOKEN, units: 'Units: .5kWh' },
        { token: TOKEN, units: '0.5' },
      ],
      ...['79,9', '1.079,9', '1e3'].map((units): readonly [object, object] => [
        { token: TOKEN, units },
        { token: TOKEN },
      ]),
      // A placeholder text does not hide a real one.
      [{ Token: 'null', purchased_code: `Token : ${TOKEN}` }, { token: TOKEN }],
      [{ Token: 'null', token: TOKEN }, { token: TOKEN }],
      // Only in the transaction, or its extras.
      [inTransaction({ mainToken: TOKEN, units: 8 }), { token: TOKEN, units: '8' }],
      [inTransaction({ extras: `Token : ${TOKEN}` }), { token: TOKEN }],
      [inTransaction({ extras: { token: TOKEN, units: '8.2' } }), { token: TOKEN, units: '8.2' }],
      [
        inTransaction({ extras: JSON.stringify({ Token: TOKEN, KCT1, KCT2, bonusToken: BONUS }) }),
        { token: TOKEN, bonus_token: BONUS, kct1: KCT1, kct2: KCT2 },
      ],
    ];
    for (const [fields, expected] of spellings) assert.deepEqual(goods(fields), expected);
  });

  it('returns key change tokens of the verification, and never sells one', () => {
    const customer = { name: 'ADA', kct1: KCT1, kct2: KCT2 };
    const order = { ...METER, customer };
    assert.deepEqual(goods({ token: TOKEN }, order), { token: TOKEN, kct1: KCT1, kct2: KCT2 });
    assert.equal(goods({ token: KCT1 }, order), undefined);
    assert.deepEqual(goods({ token: KCT1, KCT1, purchased_code: `Token: ${TOKEN}` }), {
      token: TOKEN,
      kct1: KCT1,
    });
    const content = { Customer_Name: 'ADA', KCT1, KCT2 };
    assert.deepEqual(answerToVerification(METER, reply({ code: '000', content })), {
      kind: 'verified',
      customer,
    });
  });

  it('waits for goods until there is a text of twenty digits', () => {
    for (const token of [Number(TOKEN), TOKEN.slice(1), `${TOKEN}1`, 'Token :', '', null, [], {}, true]) {
      assert.equal(goods({ token, mainToken: token, purchased_code: token }), undefined, String(token));
    }
    assert.equal(goods({ units: '8.2', kct1: KCT1 }), undefined);
    // Delivered, and still owed.
    assert.equal(goods({ Token: 'null', purchased_code: '' }), undefined);
    assert.equal(goods(inTransaction({ extras: 'null' })), undefined);
    assert.equal(goods(inTransaction({ extras: ['Token', 5] })), undefined);
    for (const token of [
      `KCT1: ${KCT1}, KCT2: ${KCT2}`,
      `KCT 1: ${KCT1} KCT 2: ${KCT2}`,
      `Key change: ${KCT1} ${KCT2}`,
    ]) {
      assert.equal(goods({ token }), undefined, 'no recharge');
    }
    assert.equal(goods({ token: KCT1, KCT1, KCT2 }), undefined, 'a key change token under another name');
  });

  it('waits for goods while a text leaves open which token is a key change token', () => {
    for (const token of [
      `Token: ${KCT1}(KCT1)`,
      `Token: ${KCT1} [KCT1]`,
      `Token: ${KCT1} - KCT1`,
      `${KCT1} KCT1 ${KCT2} KCT2 ${TOKEN}`,
      `${KCT1} (KCT1), ${KCT2} (KCT2), ${TOKEN}`,
      `Tokens: ${KCT1}, ${KCT2} (KCT1 and KCT2), ${TOKEN}`,
      `First load ${KCT1} then ${KCT2} (key change tokens), after that ${TOKEN}`,
      `First load ${KCT1}, KCT2: ${KCT2}, Token: ${TOKEN}`,
      `${KCT1}, KCT2: ${KCT2}, Token: ${TOKEN}`,
      `KCT, first: ${KCT1}, KCT, second: ${KCT2}, Token: ${TOKEN}`,
      `Token1: ${KCT1} KCT1 Token2: ${KCT2} KCT2 Token3: ${TOKEN}`,
      `KCT1: null KCT2: ${KCT2} ${TOKEN}`,
      // Two of three may be key change tokens.
      `${KCT1}, ${KCT2}, ${TOKEN}`,
    ]) {
      assert.equal(goods({ token }), undefined, token);
    }
  });

  it('reads a mark of debt only when everything was applied to arrears', () => {
    const debt = { payment_spent_on: 'debt' };
    assert.deepEqual(goods({ appliedToArrears: '2000.00' }), debt);
    assert.deepEqual(goods({ appliedToArrears: 2000, token: '' }), debt);
    assert.deepEqual(goods({ appliedToArrears: '1860.47', tokenAmount: '0.00', vat: '139.53' }), debt);
    assert.deepEqual(goods({ debtAmount: '2000.00', tokenAmount: 0 }), debt);
    assert.equal(goods({ appliedToArrears: '1999.99' }), undefined, 'the rest buys a token');
    assert.equal(goods({ debtAmount: '90000.00' }), undefined, 'may be what is still owed');
    assert.equal(goods({ debtAmount: '0.00', tokenAmount: 0 }), undefined);
    assert.equal(goods({ arrears: '2000.00', arrearsBalance: '2000.00' }), undefined);
  });

  it('reads no goods for postpaid, cable and airtime', () => {
    const everything = { token: TOKEN, units: '8.2', appliedToArrears: '99999.00' };
    const postpaid = { service_id: 'ikeja-electric', variation_code: 'postpaid' };
    assert.equal(goods(everything, { ...METER, planCodes: postpaid }), undefined);
    assert.equal(goods(everything, CARD), undefined);
    assert.equal(goods(everything, { ...METER, product: 'airtime' }), undefined);
  });
});

describe('verification', () => {
  const verify = (content: unknown, query: CustomerQuery = METER, code: unknown = '000'): unknown => {
    const answer = answerToVerification(query, reply({ code, content }));
    return answer.kind === 'verified' ? answer.customer : `${answer.kind} ${answer.code}: ${answer.message}`;
  };

  it('reads the disco’s fields in any spelling, and omits empty ones', () => {
    const told = {
      Customer_Name: 'ADA OBI',
      Address: '1 Market Road',
      Meter_Number: '45002000001',
      Customer_Arrears: '1,250.50',
      Min_Purchase_Amount: 1000,
      MAX_Purchase_Amount: '1000000',
      Customer_Account_Type: 'NMD',
      Meter_Type: 'PREPAID',
      Customer_District: 'CENTRAL',
      Customer_District_Reference: 'CEN-1',
      Business_Unit: 'IKEJA',
      Tariff: 'A1',
      WrongBillersCode: false,
      Can_Vend: 'yes',
      commission_details: {},
    };
    const customer = {
      name: 'ADA OBI',
      address: '1 Market Road',
      meterNumber: '45002000001',
      arrears: 1_250_50n,
      minAmount: 1_000_00n,
      maxAmount: 1_000_000_00n,
      accountType: 'NMD',
      meterType: 'PREPAID',
      district: 'CENTRAL',
      districtReference: 'CEN-1',
      businessUnit: 'IKEJA',
      tariff: 'A1',
    };
    assert.deepEqual(verify(told), customer);
    const respelled = Object.fromEntries(
      Object.entries(told).map(([name, value]) => [name.replaceAll('_', '').toLowerCase(), value]),
    );
    assert.deepEqual(verify(respelled), customer);
    assert.deepEqual(verify({ Customer_Name: 'ADA', District: 'X', Outstanding: 0, Minimum_Amount: '500' }), {
      name: 'ADA',
      district: 'X',
      arrears: 0n,
      minAmount: 500_00n,
    });
    const empty = {
      Address: '',
      Meter_Number: null,
      Min_Purchase_Amount: 0,
      MAX_Purchase_Amount: '0',
      Tariff: ' ',
    };
    assert.deepEqual(verify({ Customer_Name: 'ADA', ...empty }), { name: 'ADA' });
    assert.deepEqual(verify({ Customer_Name: 'ADA', Min_Purchase_Amount: '0', Minimum_Amount: '900' }), {
      name: 'ADA',
      minAmount: 900_00n,
    });
  });

  it('reads the bouquet of a smartcard and its amount due', () => {
    const told = {
      Customer_Name: 'ADA',
      Current_Bouquet: 'DStv Padi N4,400',
      Current_Bouquet_Code: 'dstv-padi',
      Renewal_Amount: 4400,
      Due_Date: '2026-12-31T00:00:00',
    };
    assert.deepEqual(verify(told, CARD), {
      name: 'ADA',
      currentBouquet: 'DStv Padi N4,400',
      currentBouquetCode: 'dstv-padi',
      renewalAmount: 4_400_00n,
      dueDate: '2026-12-31T00:00:00',
    });
  });

  it('rejects a wrong number also under the code of success, and a blocked customer', () => {
    const name = { Customer_Name: 'ADA' };
    assert.equal(verify({ error: 'Not a meter' }), 'rejected 000: Not a meter');
    assert.equal(verify({ ...name, error: 'Not a meter' }), 'rejected 000: Not a meter');
    for (const WrongBillersCode of [true, 'true']) {
      assert.match(String(verify({ ...name, WrongBillersCode })), /^rejected 000: ./);
    }
    for (const Can_Vend of ['no', 'NO', 'n']) {
      assert.match(String(verify({ ...name, Can_Vend })), /^rejected 000: ./);
    }
    assert.match(String(verify({ ...name, Meter_Type: 'Postpaid' })), /^rejected 000: ./);
    assert.deepEqual(verify({ ...name, Meter_Type: 'STS' }), { name: 'ADA', meterType: 'STS' });
    assert.match(String(verify({}, METER, '011')), /^rejected 011/);
  });

  it('recognizes a meter without a name by its other fields, and no other customer', () => {
    const nameless = { Customer_Name: '', Address: '1 Market Road', WrongBillersCode: false };
    assert.deepEqual(verify(nameless), { name: '', address: '1 Market Road' });
    for (const Customer_Name of ['null', 'N/A', null, ' n/a ']) {
      assert.deepEqual(verify({ ...nameless, Customer_Name }), { name: '', address: '1 Market Road' });
    }
    assert.match(String(verify({ ...nameless, WrongBillersCode: true })), /^rejected /);
    assert.match(String(verify({ ...nameless, Address: 'N/A' })), /^unavailable /);
    assert.match(String(verify({ Address: '1 Market Road' })), /^unavailable /);
    assert.match(String(verify({ ...nameless, Current_Bouquet: 'X' }, CARD)), /^unavailable /);
  });

  it('omits placeholders', () => {
    const told = {
      Customer_Name: 'ADA',
      Address: 'N/A',
      Tariff: 'null',
      Business_Unit: 'NULL',
      error: 'null',
    };
    assert.deepEqual(verify(told), { name: 'ADA' });
  });

  it('reads any other answer as unknown', () => {
    const name = { Customer_Name: 'ADA' };
    for (const code of ['012', '030', '083', '087', '027', '999', 12, null, {}]) {
      assert.match(String(verify(name, METER, code)), /^unavailable /, String(code));
    }
    for (const content of [{}, [], null, 'ADA', { Customer_Name: ' ' }, { WrongBillersCode: false }]) {
      assert.match(String(verify(content)), /^unavailable /, JSON.stringify(content));
    }
    const good = { code: '000', content: name };
    assert.equal(answerToVerification(METER, reply(good, 502)).kind, 'unavailable');
    assert.equal(answerToVerification(METER, { kind: 'not_sent', reason: 'x' }).kind, 'unavailable');
    assert.equal(answerToVerification(METER, { kind: 'lost', reason: 'x' }).kind, 'unavailable');
    assert.deepEqual(verify(name, METER, '020'), { name: 'ADA' });
  });

  it('never throws, and verifies only under a good code and a name', () => {
    const leaf = fc.oneof(fc.jsonValue(), fc.constantFrom('000', '011', 'ADA', true, 'no'));
    const content = fc.oneof(
      leaf,
      fc.record(
        { Customer_Name: leaf, error: leaf, WrongBillersCode: leaf, Can_Vend: leaf },
        { requiredKeys: [] },
      ),
    );
    const body = fc.oneof(leaf, fc.record({ code: leaf, content }, { requiredKeys: [] }));
    fc.assert(
      fc.property(body, fc.integer({ min: 100, max: 599 }), (value, status) => {
        const answer = answerToVerification(METER, reply(value, status));
        if (answer.kind !== 'verified') return assert.notEqual(answer.message, '');
        assert.match(JSON.stringify(value), /"code":"?0?(?:00|20|0)"?/);
        assert.notEqual(answer.customer.name, '');
      }),
      runs(300),
    );
  });
});
