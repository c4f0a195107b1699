/** Reads statement files with titles, sums, separators and quotes, and refuses wrong ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { monnifyStatement } from '../../../src/funding/banks/monnify/statement.ts';
import { paystackStatement } from '../../../src/funding/banks/paystack/statement.ts';
import { nombaStatement } from '../../../src/providers/nomba/statement.ts';
import { readStatement } from '../../../src/providers/statements/read-statement.ts';
import { StatementError, type StatementLine } from '../../../src/providers/statements/statement-line.ts';
import { parseMapping, type StatementMapping } from '../../../src/providers/statements/statement-mapping.ts';
import { vtpassStatement } from '../../../src/providers/vtpass/statement.ts';
import { isGate } from '../../support/budget.ts';

type Read = {
  readonly lines: StatementLine[];
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  readonly remarks: number;
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
  it('reads title, sums, signs and quotes', async () => {
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

  it('reads semicolons, other orders of columns, and UTF-16', async () => {
    const text = 'status;amount;date;request id\nDELIVERED;1.000,50;22/11/2026 13:05:09;ref-1\n';
    const mapping: StatementMapping = { ...vtpassStatement, decimal: ',' };
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    const bigEndian = Buffer.from(utf16).swap16();
    for (const chunks of [[text], [utf16.subarray(0, 31), utf16.subarray(31)], [bigEndian]]) {
      const { lines } = await read(chunks, mapping);
      assert.equal(lines[0]?.amount, 100_050n);
      assert.deepEqual(lines[0]?.at, new Date('2026-11-22T12:05:09Z'));
    }
  });

  it('refuses a workbook with one fault', async () => {
    const xls = Buffer.from('d0cf11e0a1b11ae10000', 'hex');
    for (const file of [[xls], [Buffer.from('PK\u0003\u0004\u0014')], ['PK\u0003\u0004\u0014']]) {
      await assert.rejects(
        read(file, vtpassStatement),
        (error) => error instanceof StatementError && error.faults.length === 1,
      );
    }
  });

  it('reports money that moved without an order', async () => {
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

  it('reads the file of every provider that has a layout', async () => {
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

  it('reports all wrong lines and cells, and counts none of them', async () => {
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

  it('reports a missing column, and the present ones', async () => {
    const [fault = ''] = await faultsOf('Title\nTransaction Date,Request ID,Amount\n2026-11-22,a,1\n');
    assert.equal(/\d+/.exec(fault)?.[0], '2');
    for (const name of ['"Status"', '"Transaction Status"', 'Transaction Date', 'Request ID', 'Amount']) {
      assert.ok(fault.includes(name), fault);
    }
    for (const file of ['', `${head}\n"open`]) assert.equal((await faultsOf(file)).length, 1);
  });

  const ledger: StatementMapping = {
    about: 'debit and credit columns',
    currency: 'NGN',
    columns: {
      at: ['Date'],
      status: ['Status'],
      kind: ['Type'],
      reference: ['Reference'],
      provider_id: ['ID'],
      recipient: ['Phone'],
      amount: ['Amount'],
      cost: ['Total Amount'],
      debit: ['Debit'],
      credit: ['Credit'],
      net: ['Net'],
      fee: ['Fee'],
      commission: ['Commission'],
      balance: ['Balance'],
    },
    time: { formats: ['iso', 'DD/MM/YYYY', 'DD/MM/YYYY hh:mm A'], zone: 'Africa/Lagos' },
    kinds: { top_up: ['funding*'], charge: ['fee*'], reversed: ['reversal*'] },
    states: { delivered: ['ok'], pending: ['pending'], failed: ['failed'] },
    opening: ['Opening*'],
    closing: ['Closing*'],
    footers: ['Total*'],
  };
  const readRows = async (heads: string, ...rows: readonly string[]): Promise<StatementLine[]> =>
    (await read([heads, ...rows].join('\n'), ledger)).lines;

  it('uses the effect on our balance as the amount of a movement', async () => {
    const cases: readonly (readonly [heads: string, row: string, state: string, amount: bigint])[] = [
      ['Amount,Fee', 'funding,150000,50', 'top_up', 14_995_000n],
      ['Amount,Fee', 'fee,50,3.75', 'charge', 5_375n],
      ['Amount,Fee,Commission', 'funding,1000,10,4', 'top_up', 99_400n],
      ['Amount,Net', 'funding,150000,149950', 'top_up', 14_995_000n],
      ['Amount,Total Amount', 'funding,150000,0.00', 'top_up', 15_000_000n],
      ['Amount,Total Amount', 'fee,0.00,52.50', 'charge', 5_250n],
      ['Debit,Credit', 'funding,0.00,"150,000"', 'top_up', 15_000_000n],
      ['Debit,Credit', 'fee,50,0.00', 'charge', 5_000n],
      ['Debit,Credit', 'fee,,50', 'top_up', 5_000n],
      ['Debit,Credit', 'funding,150000,', 'charge', 15_000_000n],
      ['Debit,Credit', 'other,0,700', 'top_up', 70_000n],
      ['Amount', 'funding,-150000', 'charge', 15_000_000n],
      ['Amount', 'fee,-50', 'charge', 5_000n],
    ];
    for (const [heads, row, state, amount] of cases) {
      const [line] = await readRows(`Date,Status,Type,${heads}`, `2026-11-22 10:00:00,ok,${row}`);
      assert.deepEqual(
        [line?.state, line?.amount, line?.cost],
        [state, amount, undefined],
        `${heads}: ${row}`,
      );
    }
  });

  it('keeps the cost of an order and the fee of a payment', async () => {
    const order = async (heads: string, row: string): Promise<StatementLine | undefined> =>
      (await readRows(`Date,Status,Reference,${heads}`, `2026-11-22 10:00:00,ok,ref-1,${row}`))[0];
    assert.equal((await order('Amount,Fee,Commission', '100,1.5,3'))?.cost, 9_850n);
    assert.equal((await order('Amount,Net', '100,3'))?.cost, 9_700n);
    assert.equal((await order('Amount,Total Amount', '100,0.00'))?.cost, 0n);
    const taken = await order('Debit,Credit', '97,0.00');
    assert.deepEqual([taken?.state, taken?.amount, taken?.cost], ['delivered', undefined, 9_700n]);
    const back = await order('Debit,Credit', '0.00,97');
    assert.deepEqual([back?.state, back?.cost], ['reversed', 9_700n]);
    const paystack = 'Reference,Amount,Fees,Status,Paid At\nabc,5000,50,success,2026-11-22T10:00:00Z';
    assert.equal((await read(paystack, paystackStatement)).lines[0]?.cost, 5_000n);
    const unsettled =
      'Paid On,Transaction Reference,Amount Paid,Settlement Amount,Payment Status\n2026-11-22 10:00:00,M1,5000,0.00,PAID';
    assert.equal((await read(unsettled, monnifyStatement)).lines[0]?.cost, undefined);
  });

  it('counts a top-up that is pending as no movement', async () => {
    const lines = await readRows(
      'Date,Status,Type,Amount',
      '2026-11-22,pending,funding,5',
      '2026-11-22,pending,x,5',
    );
    assert.deepEqual(
      lines.map(({ state }) => state),
      ['failed', 'pending'],
    );
  });

  it('reads the balances from the column that has them', async () => {
    const heads = 'Date,Status,Debit,Credit,Balance';
    const line = '2026-11-22,ok,100,,"499,900.00"';
    for (const [row, opening] of [
      ['Opening Balance,,0.00,0.00,"500,000.00"', 50_000_000n],
      ['Opening Balance,,,,"500,000.00"', 50_000_000n],
      ['Opening Balance,"500,000.00",0.00', 50_000_000n],
      ['Opening Balance,,9,12,"500,000.00"', 50_000_000n],
      ['Opening Balance,,0.00,0.00,0.00', 0n],
    ] as const) {
      assert.equal((await read([heads, row, line].join('\n'), ledger)).opening, opening, row);
      assert.equal((await read([row, heads, line].join('\n'), ledger)).opening, opening, row);
    }
    for (const row of ['Opening Balance,,3,4,', 'Opening Balance,,0.00,0.00,500,000.00']) {
      assert.equal((await faultsOf([heads, row, line].join('\n'), ledger)).length, 1, row);
    }
  });

  it('reads money out with a minus in its column, and refuses it in the column of money in', async () => {
    const [out] = await readRows('Date,Status,Type,Debit,Credit', '2026-11-22,ok,fee,-50.00,');
    assert.deepEqual([out?.state, out?.amount], ['charge', 5_000n]);
    const credit = 'Date,Status,Type,Debit,Credit\n2026-11-22,ok,funding,,-50.00\n';
    assert.equal((await faultsOf(credit, ledger)).length, 1);
  });

  it('reads a top-up with a minus in another column as money out, or refuses it', async () => {
    const [out] = await readRows('Date,Status,Type,Amount,Total Amount', '2026-11-22,ok,funding,,-300.00');
    assert.deepEqual([out?.state, out?.amount], ['charge', 30_000n]);
    const [funded] = await readRows('Date,Status,Type,Amount,Total Amount', '2026-11-22,ok,funding,,300.00');
    assert.deepEqual([funded?.state, funded?.amount], ['top_up', 30_000n]);
    const [both] = await readRows(
      'Date,Status,Type,Amount,Total Amount',
      '2026-11-22,ok,funding,-300.00,-300.00',
    );
    assert.deepEqual([both?.state, both?.amount], ['charge', 30_000n]);
    for (const rows of [
      'Date,Status,Type,Amount,Total Amount\n2026-11-22,ok,funding,300.00,-300.00\n',
      'Date,Status,Type,Amount,Net\n2026-11-22,ok,funding,20.00,-5.00\n',
    ]) {
      assert.equal((await faultsOf(rows, ledger)).length, 1, rows);
    }
  });

  it('reads the signs that banks write', async () => {
    for (const [amount, state] of [
      ['50.00 DR', 'charge'],
      ['50.00Dr.', 'charge'],
      ['50.00-', 'charge'],
      ['\u221250.00', 'charge'],
      ['50.00 CR', 'top_up'],
      ['N50.00CR', 'top_up'],
    ] as const) {
      const [line] = await readRows('Date,Status,Type,Amount', `2026-11-22,ok,funding,${amount}`);
      assert.deepEqual([line?.state, line?.amount], [state, 5_000n], amount);
    }
    for (const amount of ['-50.00 DR', '50.00 DR CR', 'DR', '-50.00-', '--50.00', '-N-50.00', '+-50.00']) {
      const text = `Date,Status,Type,Amount\n2026-11-22,ok,funding,${amount}\n`;
      assert.equal((await faultsOf(text, ledger)).length, 1, amount);
    }
  });

  it('refuses a movement whose decimals may be thousands', async () => {
    const faults = async (status: string, amount: string, decimal: '.' | ','): Promise<number> => {
      const text = `Date;Status;Type;Amount\n2026-11-22;${status};${status};${amount}\n`;
      return (await faultsOf(text, { ...ledger, decimal })).length;
    };
    for (const amount of ['1.500', 'N1.500', '-150.000', '50.125 CR']) {
      assert.equal(await faults('funding', amount, '.'), 1, amount);
      assert.equal(await faults('funding', amount.replace('.', ','), ','), 1, amount);
    }
    for (const amount of ['1,234.500', '1500.000', '0.375', '1.50', '1.5000', '1.500,00']) {
      const decimal = amount.endsWith(',00') ? ',' : '.';
      assert.equal(await faults('funding', amount, decimal), 0, amount);
    }
    // A provider computes the cost of an order by a percentage.
    assert.equal(await faults('ok', '97.125', '.'), 0);
  });

  it('reads cells with invisible marks of direction', async () => {
    const [line] = await readRows(
      'Date,Status,Type,Reference,Phone,Amount',
      '\u202a2026-11-22\u202c,ok,,\u200e20261122A1,\u2066+2348031234567\u2069,\u200f1500.00\u200b',
    );
    assert.deepEqual(
      [line?.reference, line?.recipient, line?.amount],
      ['20261122A1', '+2348031234567', 150_000n],
    );
  });

  it('reads no value where a cell says so', async () => {
    const lines = await readRows(
      'Date,Status,Type,Debit,Credit',
      '2026-11-22,ok,fee,50,N/A',
      '2026-11-22,ok,fee,50,--',
    );
    assert.deepEqual(
      lines.map(({ amount }) => amount),
      [5_000n, 5_000n],
    );
  });

  it('reads a balance behind a day, and a file with a section for each month', async () => {
    const heads = 'Date,Status,Debit,Credit,Balance';
    const month = (start: number): string[] => [
      `2026-11-22,Opening Balance,,,${start}`,
      `2026-11-22,ok,100,,${start - 100}`,
      `2026-11-22,Closing Balance,,,${start - 100}`,
    ];
    const file = await read([heads, ...month(500), heads, ...month(400)].join('\n'), ledger);
    const newestFirst = [heads, ...month(400).reverse(), heads, ...month(500).reverse()].join('\n');
    for (const { opening, closing, lines, remarks } of [file, await read(newestFirst, ledger)]) {
      assert.deepEqual([opening, closing, lines.length, remarks], [50_000n, 30_000n, 2, 1]);
    }
  });

  it('refuses a file that ends within a row', async () => {
    const text = 'Date,Status,Amount,Phone\n2026-11-22,ok,1500.00,a\n2026-11-22,ok,15';
    assert.equal((await faultsOf(text, ledger)).length, 1);
    assert.equal((await read(`${text}00.00,b`, ledger)).lines.length, 2);
  });

  it('refuses a cell with further lines of the file in it', async () => {
    const heads = 'Date,Status,Amount,Phone\n';
    const text = `${heads}2026-11-22,ok,1,"32 inch\n2026-11-22,ok,2,b\n2026-11-22,ok,3,c"\n`;
    assert.equal((await faultsOf(text, ledger)).length, 1);
    const address = `${heads}2026-11-22,ok,1,"12 Marina,\nLagos, Nigeria"\n`;
    assert.equal((await read(address, ledger)).lines.length, 1);
  });

  it('refuses two columns with the name of one', async () => {
    assert.equal((await faultsOf('Date,Status,Amount,Amount\n2026-11-22,ok,1,2\n', ledger)).length, 1);
    assert.equal((await read('Date,Status,Amount,X,X\n2026-11-22,ok,1,2,3\n', ledger)).lines.length, 1);
  });

  it('refuses a line with more cells than the head line', async () => {
    const heads = 'Date,Status,Amount';
    assert.equal((await faultsOf(`${heads}\n2026-11-22,ok,1,500.00`, ledger)).length, 1);
    assert.equal((await readRows(heads, '2026-11-22,ok,"1,500.00",,'))[0]?.amount, 150_000n);
  });

  it('reads a line that begins like a footer as a line if it has a time', async () => {
    const text = 'Type,Date,Status,Amount\nTotal Energies,2026-11-22,ok,5\nTotal,,,5\n';
    const { lines, remarks } = await read(text, ledger);
    assert.deepEqual([lines.length, remarks], [1, 1]);
  });

  it('repairs numbers that a spreadsheet changed, and reports lost digits', async () => {
    const one = async (phone: string, id = 'a'): Promise<StatementLine | undefined> =>
      (
        await readRows(
          'Date,Status,Amount,Phone,ID',
          `2026-11-22,ok,5,"${phone.replaceAll('"', '""')}","${id}"`,
        )
      )[0];
    for (const phone of [
      ...['8031234561', '8031234561.0', '8031234561,0', '8031234561.00', '8,031,234,561.00'],
      ...['8.031234561E+09', '8,031234561E9', '="8031234561"', "'8031234561"],
    ]) {
      assert.equal((await one(phone))?.recipient, '8031234561', phone);
    }
    for (const phone of ['8.03123E+09', '8,03123E+9', '8E+09', '8.03123e9']) {
      const line = await one(phone);
      assert.deepEqual([line?.recipient, line?.isRecipientCut], [undefined, true], phone);
    }
    assert.equal((await one('user.0'))?.recipient, 'user.0');
    assert.equal((await one('x', '1795356012568003.0'))?.providerId, '1795356012568003');
    for (const [decimal, id] of [
      ['.', '2,02611E+16'],
      [',', '2,02611E+16'],
      [',', '2.02611E+16'],
    ] as const) {
      const text = `Date;Status;Amount;Reference\n2026-11-22;ok;5;${id}\n`;
      const faults = await faultsOf(text, { ...ledger, decimal });
      assert.equal(faults.length, 1, id);
      assert.ok(faults[0]?.includes(id));
    }
  });

  it('reports the precision of a line’s time', async () => {
    const lines = await readRows(
      'Date,Status,Amount',
      ...[
        '22/11/2026',
        '2026-11-22',
        '2026-11-22 00:00:00',
        '2026-11-22 00:00:01',
        '22/11/2026 12:00 AM',
      ].map((at) => `${at},ok,5`),
    );
    assert.deepEqual(
      lines.map(({ precision }) => precision),
      ['day', 'day', 'midnight', undefined, 'midnight'],
    );
    const formats = ['DD/MM/YYYY hh A', 'DD/MM/YYYY HH', 'DD/MM/YYYY HH:mm'];
    const hours = ['22/11/2026 03 PM', '22/11/2026 15', '22/11/2026 15:00', '22/11/2026 12 AM'];
    const rows = hours.map((at) => `${at},ok,5`).join('\n');
    const { lines: whole } = await read(`Date,Status,Amount\n${rows}\n`, {
      ...ledger,
      time: { ...ledger.time, formats },
    });
    assert.deepEqual(
      whole.map(({ precision }) => precision),
      ['hour', 'hour', undefined, 'midnight'],
    );
  });

  it('treats payments of other channels and currencies as unrelated', async () => {
    const heads = 'Reference,Amount,Status,Paid At,Channel,Currency';
    const states = async (mapping: StatementMapping, ...rows: readonly string[]): Promise<string[]> =>
      (await read([heads, ...rows].join('\n'), mapping)).lines.map(({ state }) => state);
    assert.deepEqual(
      await states(
        { ...paystackStatement },
        'a,5,success,2026-11-22T10:00:00Z,dedicated_nuban,NGN',
        'b,5,success,2026-11-22T10:00:00Z,card,NGN',
        'c,5,success,2026-11-22T10:00:00Z,,',
        'd,5,success,2026-11-22T10:00:00Z,dedicated_nuban,GHS',
        'e,5,reversed,2026-11-22T10:00:00Z,dedicated_nuban,NGN',
      ),
      ['payment', 'unrelated', 'payment', 'unrelated', 'reversed'],
    );
  });

  it('streams a large file', async () => {
    const rows = isGate ? 3_000 : 60_000;
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

  it('accepts each clock as a whole', async () => {
    for (const [format, text, at] of [
      ['DD/MM/YYYY HH:mm', '22/11/2026 15:15', '2026-11-22T15:15:00.000Z'],
      ['DD/MM/YYYY hh:mm:ss A', '22/11/2026 03:15:09 PM', '2026-11-22T15:15:09.000Z'],
      ['YYYY-MM-DD HH:mm:ss.SSS', '2026-11-22 15:15:09.120', '2026-11-22T15:15:09.120Z'],
      ['DD-MM-YYYYTHH:mm', '22-11-2026T15:15', '2026-11-22T15:15:00.000Z'],
      ['DD MMM YYYY hhA', '22 Nov 2026 03PM', '2026-11-22T15:00:00.000Z'],
      ['DD/MM/YYYY HH:mm Z', '22/11/2026 15:15 Z', '2026-11-22T15:15:00.000Z'],
      ['DD/MM/YYYY HH:mmZ', '22/11/2026 15:15-0530', '2026-11-22T20:45:00.000Z'],
      ['DD/MM/YYYY hh:mm A Z', '22/11/2026 03:15 PM +01:00', '2026-11-22T14:15:00.000Z'],
    ]) {
      const mapping = parseMapping(JSON.stringify({ ...given, time: { formats: [format], zone: 'UTC' } }));
      const { lines } = await read(`When,How,What\n${text},OK,5\n`, mapping);
      assert.equal(lines[0]?.at.toISOString(), at);
    }
  });

  it('uses the zone of a cell instead of the zone of the mapping, and refuses an unknown one', async () => {
    const time = { formats: ['DD/MM/YYYY HH:mm Z'], zone: 'Africa/Lagos' };
    const mapping = parseMapping(JSON.stringify({ ...given, time }));
    const { lines } = await read('When,How,What\n22/11/2026 15:15 Z,OK,5\n', mapping);
    assert.equal(lines[0]?.at.toISOString(), '2026-11-22T15:15:00.000Z');
    for (const zone of ['WAT', '+15:00', '']) {
      const text = `When,How,What\n22/11/2026 15:15 ${zone},OK,5\n`;
      assert.equal((await faultsOf(text, mapping)).length, 1, zone);
    }
  });

  it('accepts the layouts that come with Oja', () => {
    for (const layout of [vtpassStatement, nombaStatement, monnifyStatement, paystackStatement]) {
      assert.deepEqual(parseMapping(JSON.stringify(layout)), layout);
    }
  });

  it('reads a mapping', async () => {
    const { lines } = await read('When,How,What\n2026/11/22,OK,5\n', parseMapping(JSON.stringify(given)));
    assert.deepEqual([lines[0]?.at.toISOString(), lines[0]?.amount], ['2026-11-21T23:00:00.000Z', 500n]);
  });

  const wrong: readonly (readonly [given: unknown, names: string])[] = [
    ['{', ''],
    [{ ...given, columns: { at: ['When'] } }, 'columns'],
    [{ ...given, colums: {} }, ''],
    [{ ...given, time: { formats: ['dd.mm'], zone: 'UTC' } }, 'dd.mm'],
    [{ ...given, time: { formats: ['iso'], zone: 'Europe/Berlin' } }, 'Europe/Berlin'],
    ...['hh:mm', 'HH:mm A', 'HH:mm:ss A', 'hh:mm:ss', 'HH hh A', 'HH:ss', 'mm', 'HH:MM', 'A'].map(
      (clock) => [{ ...given, time: { formats: [`DD/MM/YYYY ${clock}`], zone: 'UTC' } }, clock] as const,
    ),
    ...[
      ...['DD/MM/YYYY HH:mm PM', 'DD/MM/YYYY hh:mm AM', 'DD/MM/YYYY HH:mm:SS', 'DD MMMM YYYY HH:mm'],
      ...['DD/MM/YYYY HH:mm a', 'DD/MM/YYYY HH:mm WAT', 'DDTMM/YYYY HH:mm', 'DD/MM/YYYYT', 'DD/MM/YYYY Z'],
      ...['DD/MM/YYYY HH:mm:ss.SSSS', 'YYYY-MM-DDTTHH:mm', 'D/MM/YYYY', 'DD/MM/YYYY HH:mm Uhr'],
    ].map((format) => [{ ...given, time: { formats: [format], zone: 'UTC' } }, format] as const),
    [{ ...given, columns: { at: ['When'], status: ['How'] } }, 'amount'],
    [{ ...given, states: { done: ['ok'] } }, 'states'],
  ];
  for (const [mapping, names] of wrong) {
    const text = typeof mapping === 'string' ? mapping : JSON.stringify(mapping);
    it(`refuses a mapping that is ${text}`, () => {
      assert.throws(
        () => parseMapping(text),
        (error) => error instanceof StatementError && error.faults.every((fault) => fault.includes(names)),
      );
    });
  }
});
