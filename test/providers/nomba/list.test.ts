/** Rows of Nomba's list of transactions: orders, and money that moved without one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTransactions } from '../../../src/providers/nomba/list.ts';
import type { StatementLine } from '../../../src/providers/statements/statement-line.ts';

function lineOf(row: object): StatementLine | undefined {
  const body = { code: '00', description: 'ok', data: { results: [row], cursor: '' } };
  const page = readTransactions({ kind: 'reply', status: 200, body });
  assert.ok(page.kind === 'page');
  assert.equal(page.next, undefined);
  return page.lines[0];
}

const row = { id: 'API-1', status: 'SUCCESS', amount: '150000.0', timeCreated: '2026-11-22T10:00:00Z' };

describe('a row of Nomba’s list', () => {
  it('reads the change of our balance', () => {
    for (const [fields, state, amount] of [
      [{ entryType: 'CREDIT', type: 'vact_transfer', fixedCharge: 50 }, 'top_up', 14_995_000n],
      [{ entryType: 'CREDIT', type: 'vact_transfer', fixedCharge: 0 }, 'top_up', 15_000_000n],
      [{ entryType: 'CREDIT', type: 'vact_transfer' }, 'top_up', 15_000_000n],
      [{ entryType: 'DEBIT', type: 'transfer', fixedCharge: '20.5' }, 'charge', 15_002_050n],
      [{ entryType: 'CREDIT', type: 'vact_transfer', status: 'PENDING_BILLING' }, 'failed', 15_000_000n],
    ] as const) {
      const line = lineOf({ ...row, ...fields });
      assert.deepEqual([line?.state, line?.amount], [state, amount], JSON.stringify(fields));
      if (state !== 'failed') assert.equal(line?.cost, undefined);
    }
  });

  it('books no money whose direction is not in the row', () => {
    assert.equal(lineOf({ ...row, type: 'vact_transfer' })?.state, 'top_up');
    for (const fields of [
      {},
      { type: 'transfer' },
      { type: 'transfer', entryType: null },
      { entryType: 'OTHER' },
    ]) {
      assert.equal(lineOf({ ...row, ...fields })?.state, 'delivered', JSON.stringify(fields));
    }
  });

  it('reads the cost of an order, and times as numbers', () => {
    const order = {
      ...row,
      type: 'topup',
      merchantTxRef: 'ref-1',
      fixedCharge: 1.5,
      timeCreated: 1_795_266_309_000,
    };
    const line = lineOf(order);
    assert.deepEqual(
      [line?.state, line?.amount, line?.cost, line?.reference, line?.at.toISOString()],
      ['delivered', 15_000_000n, 15_000_150n, 'ref-1', '2026-11-21T13:05:09.000Z'],
    );
    assert.equal(lineOf({ ...order, status: 'CANCELLED' })?.state, 'pending');
    assert.equal(lineOf({ ...order, status: 'REFUND' })?.state, 'reversed');
  });
});
