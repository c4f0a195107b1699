/** Education PINs at VTpass as data: the requests, and every spelling of a PIN. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProviderOrder } from '../../../src/providers/provider.ts';
import { answerToPay, answerToQuery } from '../../../src/providers/vtpass/mapping.ts';
import { toPurchase, toVerification } from '../../../src/providers/vtpass/purchase.ts';

const REFERENCE = '202611211530abcdefghijklmnopqrstuvwx';

const WAEC: ProviderOrder = {
  reference: REFERENCE,
  product: 'EDUCATION',
  network: 'WAEC',
  recipient: '2348031234567',
  amount: 5_350_00n,
  currency: 'NGN',
  planCodes: { service_id: 'waec', variation_code: 'waecdirect' },
};

const JAMB: ProviderOrder = {
  ...WAEC,
  network: 'JAMB',
  recipient: '0123456789',
  phone: '2348039999999',
  planCodes: { service_id: 'jamb', variation_code: 'utme-mock' },
};

function goodsIn(more: object): unknown {
  const body = {
    code: '000',
    content: { transactions: { status: 'delivered', transactionId: '1', total_amount: '5243.00' } },
    response_description: 'TRANSACTION SUCCESSFUL',
    requestId: REFERENCE,
    ...more,
  };
  const result = { kind: 'reply', status: 200, body } as const;
  const answer = answerToPay(WAEC, result);
  assert.ok(answer.kind === 'success', answer.message);
  assert.deepEqual(answerToQuery(WAEC, result), answer);
  const { goods, ...evidence } = answer;
  const written = JSON.stringify(evidence, (_key, value: unknown) => String(value));
  assert.ok(!written.includes('098765432112'), 'a PIN outside the goods');
  return goods?.pins;
}

describe('an education PIN at VTpass', () => {
  it('buys for a profile code, or for a phone only', () => {
    const common = { request_id: REFERENCE, amount: '5350.00' };
    assert.deepEqual(toPurchase(WAEC, undefined), {
      body: { ...common, serviceID: 'waec', phone: '08031234567', variation_code: 'waecdirect' },
    });
    assert.deepEqual(toPurchase(JAMB, undefined), {
      body: {
        ...common,
        serviceID: 'jamb',
        billersCode: '0123456789',
        phone: '08039999999',
        variation_code: 'utme-mock',
      },
    });
    const { phone: _phone, ...alone } = JAMB;
    assert.deepEqual(toPurchase(alone, undefined), { lacks: 'phone' });
    assert.ok('body' in toPurchase(alone, '2348031111111'));
    assert.deepEqual(toPurchase({ ...WAEC, planCodes: { service_id: 'waec' } }, undefined), {
      lacks: 'code',
    });
  });

  it('verifies by profile code and variation', () => {
    assert.deepEqual(toVerification(JAMB), {
      billersCode: '0123456789',
      serviceID: 'jamb',
      type: 'utme-mock',
    });
    assert.equal(toVerification({ ...JAMB, planCodes: { service_id: 'jamb' } }), undefined);
  });

  it('reads a PIN under every spelling', () => {
    const card = { serial: 'WRN123456790', pin: '098765432112' };
    const second = { serial: 'WRN123456791', pin: '198765432112' };
    for (const [more, pins] of [
      [{ cards: [{ Serial: card.serial, Pin: card.pin }] }, [card]],
      [{ cards: JSON.stringify([{ Serial: card.serial, Pin: card.pin }]) }, [card]],
      [{ cards: [card, second] }, [card, second]],
      [{ cards: [{ Pin: card.pin }] }, [{ pin: card.pin }]],
      [{ purchased_code: 'Serial No:WRN123456790, pin: 098765432112' }, [card]],
      [
        {
          purchased_code:
            'Serial No:WRN123456790, pin: 098765432112||Serial No:WRN123456791, pin: 198765432112',
        },
        [card, second],
      ],
      [{ tokens: ['0100070365657400875'] }, [{ pin: '0100070365657400875' }]],
      [{ tokens: '["0100070365657400875"]' }, [{ pin: '0100070365657400875' }]],
      [{ purchased_code: 'Token: 0100070365657400875' }, [{ pin: '0100070365657400875' }]],
      [{ Pin: 'Pin : 3678251321392432' }, [{ pin: '3678251321392432' }]],
      [{ Pin: '3678251321392432' }, [{ pin: '3678251321392432' }]],
      [{ cards: [], purchased_code: 'Pin : 3678251321392432' }, [{ pin: '3678251321392432' }]],
    ] as const) {
      assert.deepEqual(goodsIn(more), pins, JSON.stringify(more));
    }
  });

  it('reads no PIN from an empty, truncated or numeric field', () => {
    for (const more of [
      {},
      { purchased_code: '' },
      { purchased_code: 'Pin :' },
      { purchased_code: 'Token: see your e-mail' },
      { cards: 'null' },
      { cards: '[{' },
      { cards: [{ Serial: 'WRN123456790' }] },
      { tokens: [1000703656574, null, {}] },
      { Pin: 3678251321392432 },
    ]) {
      assert.equal(goodsIn(more), undefined, JSON.stringify(more));
    }
  });
});
