/** The check of answers against the document fails where they differ. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDocument } from '../support/api-document.ts';
import { createContract, type Exchange } from '../support/contract.ts';
import { airtimeSync, buildEdge, credentials, goodAirtime } from './harness.ts';

const contract = createContract(await readDocument());

const edge = await buildEdge();
const response = await edge.app.inject({
  method: 'POST',
  url: airtimeSync,
  headers: credentials,
  payload: goodAirtime,
});
await edge.app.close();

const good: Exchange = {
  method: 'POST',
  url: airtimeSync,
  sent: goodAirtime,
  status: response.statusCode,
  headers: response.headers,
  text: response.payload,
};

/** The answer with different fields in its data. */
function telling(fields: object): Exchange {
  const body = JSON.parse(good.text);
  return { ...good, text: JSON.stringify({ ...body, data: { ...body.data, ...fields } }) };
}

describe('an answer', () => {
  it('accepts an answer that matches the document', () => {
    contract.check(good);
    contract.check({ ...good, url: `${airtimeSync}/?x=1` });
  });

  it('rejects an undeclared status, header or content type', () => {
    assert.throws(() => contract.check({ ...good, status: 201 }), /201 is not in the document/);
    assert.throws(() => contract.check({ ...good, status: 502 }), /502 is not in the document/);
    const headers = { ...good.headers, 'retry-after': '1' };
    assert.throws(() => contract.check({ ...good, headers }), /retry-after is not in the document/);
    const csv = { ...good.headers, 'content-type': 'text/csv' };
    assert.throws(() => contract.check({ ...good, headers: csv }), /text\/csv is not in the document/);
    const long = { ...good.headers, 'x-request-id': 'x'.repeat(101) };
    assert.throws(() => contract.check({ ...good, headers: long }), /pattern/);
  });

  it('rejects an unknown field, a wrong type and a missing field', () => {
    assert.throws(() => contract.check(telling({ fee: '1.00' })), /additional properties.*fee/);
    assert.throws(() => contract.check(telling({ amount: 100 })), /amount must be string/);
    assert.throws(() => contract.check(telling({ merchant_id: undefined })), /merchant_id/);
  });

  it('rejects 405 without Allow, and a served path that is not described', () => {
    const text = JSON.stringify({ status: 'error', code: 405, reason: 'method_not_allowed', message: 'no' });
    const refused = { ...good, method: 'PUT', status: 405, text };
    contract.check({ ...refused, headers: { ...good.headers, allow: 'POST' } });
    assert.throws(() => contract.check(refused), /allow is missing/);
    assert.throws(() => contract.check({ ...good, url: '/v1/transactions/new' }), /not in the document/);
    assert.throws(() => contract.check({ ...good, method: 'PUT' }), /method is not in the document/);
  });
});

describe('a request that was accepted', () => {
  it('accepts a request in its canonical form', () => {
    contract.check(good);
    contract.check({ ...good, sent: JSON.stringify({ ...goodAirtime, more: [1] }) });
  });

  it('rejects a request that the document would refuse', () => {
    for (const fields of [
      { amount: 100 },
      { amount: '1e3' },
      { network: 'mtnn' },
      { msisdn: '0803123456' },
      { msisdn: null },
      { merchant: null },
      { request_ref: ' a' },
    ]) {
      const sent = { ...goodAirtime, ...fields };
      assert.throws(() => contract.check({ ...good, sent }), /accepted is not as/, JSON.stringify(fields));
    }
    const url = '/v1/transactions?limit=1000';
    const list = { ...good, method: 'GET', url, sent: undefined, text: '' };
    assert.throws(() => contract.check(list), /limit is not as the document says/);
    contract.check({ ...list, url: '/v1/transactions?limit=&page=2' });
  });
});
