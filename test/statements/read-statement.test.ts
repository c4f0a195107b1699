/** Statement files as they come: with titles, sums, separators, quotes, and wrong. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { monnifyStatement } from '../../src/banks/monnify/statement.ts';
import { paystackStatement } from '../../src/banks/paystack/statement.ts';
import { nombaStatement } from '../../src/providers/nomba/statement.ts';
import { vtpassStatement } from '../../src/providers/vtpass/statement.ts';
import { readStatement } from '../../src/statements/read-statement.ts';
import { StatementError } from '../../src/statements/statement-error.ts';
import type { StatementLine } from '../../src/statements/statement-line.ts';
import { parseMapping, type StatementMapping } from '../../src/statements/statement-mapping.ts';

type Read = {
  readonly lines: StatementLine[];
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
};

async function read(
  chunks: string | readonly (string | Uint8Array)[],
  mapping: StatementMapping,
): Promise<Read> {
  const reading = readStatement(typeof chunks === 'string' ? [chunks] : chunks, mapping);
  const lines: StatementLine[] = [];
  for (;;) {
    const next = await reading.next();
    if (next.done === true) return { lines, ...next.value };
    lines.push(next.value);
  }
}

async function faultsOf(
  text: string,
  mapping: StatementMapping = vtpassStatement,
): Promise<readonly string[]> {
  try {
    await read(text, mapping);
  } catch (error) {
    assert.ok(error instanceof StatementError, String(error));
    return error.faults;
  }
  return [];
}

const head =
  'Transaction Date,Request ID,Transaction ID,Product Name,Unique Element,Amount,Total Amount,Balance,Status';

describe('a statement file', () => {
  it('is read with its title, its sums, its signs and its quotes', async () => {
    const file = [
      '\uFEFFVTpass,,\r\n',
      'Opening Balance,"₦10,000.00"\r\n\r\n',
      `S/N,${head}\r\n`,
      '1,2026-11-22 13:05:09,202611221305abc,17001,MTN Airtime VTU,08031234567,"₦1,000.00","970.00","9,030.00",delivered\r\n',
      '2,2026-11-22 13:06:09,202611221306abc,17002,"DStv, Padi",1212121212,"4,400","4,334.00","4,696.00",Failed\r\n',
      'Closing Balance,"4,696.00"\r\nTotal,2\r\n',
    ];
    const { lines, opening, closing } = await read(file, vtpassStatement);
    assert.equal(opening, 1_000_000n);
    assert.equal(closing, 469_600n);
    assert.deepEqual(lines[0], {
      line: 5,
      state: 'delivered',
      words: 'delivered',
      at: new Date('2026-11-22T12:05:09Z'),
      reference: '202611221305abc',
      providerId: '17001',
      product: 'airtime',
      network: 'MTN',
      recipient: '08031234567',
      amount: 100_000n,
      cost: 97_000n,
      balance: 903_000n,
      currency: 'NGN',
    });
    assert.deepEqual([lines[1]?.state, lines[1]?.line, lines.length], ['failed', 6, 2]);
  });

  it('is read by semicolons, in other orders of columns, and as UTF-16', async () => {
    const text = 'status;amount;date;request id\nDELIVERED;1.000,50;22/11/2026 13:05:09;ref-1\n';
    const mapping: StatementMapping = { ...vtpassStatement, decimal: ',' };
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    for (const chunks of [[text], [utf16.subarray(0, 31), utf16.subarray(31)]]) {
      const { lines } = await read(chunks, mapping);
      assert.equal(lines[0]?.amount, 100_050n);
      assert.deepEqual(lines[0]?.at, new Date('2026-11-22T12:05:09Z'));
    }
  });

  it('tells money that moved without an order', async () => {
    const rows = [
      'Date,Transaction ID,Transaction Type,Amount,Status',
      '2026-11-22 09:00:00,f1,Wallet Funding,"500,000.00",successful',
      '2026-11-22 09:01:00,f2,Charge for SMS,50,successful',
      '2026-11-22 09:02:00,f3,Wallet Funding,"500,000.00",failed',
      '2026-11-22 09:03:00,f4,Reversal of f0,100.00,successful',
    ];
    const { lines } = await read(rows.join('\n'), vtpassStatement);
    assert.deepEqual(
      lines.map(({ state }) => state),
      ['top_up', 'charge', 'failed', 'reversed'],
    );
  });

  it('is read of every provider that has a layout', async () => {
    const nomba =
      'Time Created;ID;Merchant Tx Ref;Type;Amount;Fixed Charge;Status\n2026-11-22T10:00:00Z;API-1;ref;topup;100;1.5;SUCCESS';
    assert.equal((await read(nomba, nombaStatement)).lines[0]?.cost, 10_150n);
    const monnify =
      'Paid On,Transaction Reference,Amount Paid,Settlement Amount,Payment Status\n22/11/2026 3:48:10 PM,MNFY|1,5000,4990,PAID';
    const [paid] = (await read(monnify, monnifyStatement)).lines;
    assert.deepEqual(
      [paid?.state, paid?.cost, paid?.at.toISOString()],
      ['payment', 1_000n, '2026-11-22T14:48:10.000Z'],
    );
    const paystack =
      'Reference,Amount (NGN),Fees,Status,Paid At\nabc,5000,50,success,2026-11-22T10:00:00.000Z';
    assert.equal((await read(paystack, paystackStatement)).lines[0]?.providerId, 'abc');
  });

  it('names the line and the cell that is wrong, all of them, and counts nothing of it', async () => {
    const rows = [
      head,
      '2026-11-31 13:05:09,a,1,x,0803,100,97,1,delivered',
      '2026-11-22 13:05:09,b,2,x,0803,1O0,97,1,delivered',
      '2026-11-22 13:05:09,2.02611E+16,3,x,0803,100,97,1,delivered',
      '2026-11-22 13:05:09,d,4,x,0803,100,97,1,Delivrd',
      '2026-11-22 13:05:09,e,5,x,0803,"1,00",97,1,delivered',
    ];
    const faults = await faultsOf(rows.join('\n'));
    assert.equal(faults.length, 5);
    for (const [index, names] of ['2026-11-31 13:05:09', '1O0', '', 'Delivrd', '1,00'].entries()) {
      const fault = faults[index] ?? '';
      assert.equal(/\d+/.exec(fault)?.[0], String(index + 2), fault);
      assert.ok(fault.includes(names), fault);
    }
  });

  it('says which column is missing, and what there is instead', async () => {
    const [fault = ''] = await faultsOf('Title\nTransaction Date,Request ID,Amount\n2026-11-22,a,1\n');
    assert.equal(/\d+/.exec(fault)?.[0], '2');
    for (const name of ['"Status"', '"Transaction Status"', 'Transaction Date', 'Request ID', 'Amount']) {
      assert.ok(fault.includes(name), fault);
    }
    for (const file of ['', `${head}\n"open`]) assert.equal((await faultsOf(file)).length, 1);
  });

  it('streams: a large file is not held', async () => {
    const rows = 60_000;
    function* file(): Generator<string> {
      yield `${head}\n`;
      for (let row = 0; row < rows; row += 1)
        yield `2026-11-22 13:05:09,ref-${row},${row},x,0803,100,97,1,delivered\n`;
    }
    const reading = readStatement(file(), vtpassStatement);
    let count = 0;
    for await (const line of reading) count += line.amount === 10_000n ? 1 : 0;
    assert.equal(count, rows);
  });
});

describe('a mapping of the operator', () => {
  const given = {
    about: 'ours',
    currency: 'NGN',
    columns: { at: ['When'], status: ['How'], amount: ['What'] },
    time: { formats: ['YYYY/MM/DD'], zone: '+01:00' },
    states: { delivered: ['ok'] },
  };

  it('is read', async () => {
    const { lines } = await read('When,How,What\n2026/11/22,OK,5\n', parseMapping(JSON.stringify(given)));
    assert.deepEqual([lines[0]?.at.toISOString(), lines[0]?.amount], ['2026-11-21T23:00:00.000Z', 500n]);
  });

  const wrong: readonly (readonly [given: unknown, names: string])[] = [
    ['{', ''],
    [{ ...given, columns: { at: ['When'] } }, 'columns'],
    [{ ...given, colums: {} }, ''],
    [{ ...given, time: { formats: ['dd.mm'], zone: 'UTC' } }, 'dd.mm'],
    [{ ...given, time: { formats: ['iso'], zone: 'Europe/Berlin' } }, 'Europe/Berlin'],
    [{ ...given, states: { done: ['ok'] } }, 'states'],
  ];
  for (const [mapping, names] of wrong) {
    const text = typeof mapping === 'string' ? mapping : JSON.stringify(mapping);
    it(`is refused where it is ${text}`, () => {
      assert.throws(
        () => parseMapping(text),
        (error) => error instanceof StatementError && error.faults.every((fault) => fault.includes(names)),
      );
    });
  }
});
