/** Recognising the columns of a file, and reading its rows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldsOfRow, recogniseHeads } from '../../../src/api/bulk/columns.ts';
import { readTable } from '../../../src/api/bulk/read-table.ts';

function rowsOf(text: string): Record<string, string>[] {
  const { heads, rows } = readTable(text);
  const recognised = recogniseHeads(heads);
  return rows.map((cells) => fieldsOfRow(recognised, cells));
}

describe('the columns of a file', () => {
  it('recognises columns by their heads, in any case and with any signs', () => {
    const heads = recogniseHeads(['S/N', ' PHONE no', 'Phone Number', 'TELCO', 'Amount (₦)', 'Remarks']);
    assert.deepEqual(
      heads.map(({ field }) => field),
      [null, null, 'phone', 'network', 'amount', null],
    );
  });

  it('reports the missing product column', () => {
    const rows = rowsOf(
      [
        'Phone,Meter,IUC,Network,Plan,Amount,Product',
        '08031234567,,,MTN,,100,',
        '08031234567,,,MTN,MTN-1,100,',
        ',123456,,IKEDC,2001,100,',
        '08031234567,,1234567890,DSTV,1,100,',
        '08031234567,,,MTN,MTN-1,100,airtime',
      ].join('\n'),
    );
    assert.deepEqual(
      rows.map(({ product, msisdn, phone }) => [product, msisdn, phone]),
      [
        ['airtime', '08031234567', undefined],
        ['data', '08031234567', undefined],
        ['ELECTRICITY', '123456', undefined],
        ['CABLE', '1234567890', '08031234567'],
        ['airtime', '08031234567', undefined],
      ],
    );
  });

  it('reads amounts and numbers in spreadsheet formats, and leaves unclear ones unchanged', () => {
    const rows = rowsOf(
      "phone\tnetwork\tamount\n8031234567\tMTN\t₦1,500.00\n'08031234567\tMTN\t1,50\n803123456\tMTN\t1e3\n",
    );
    assert.deepEqual(
      rows.map(({ msisdn, amount }) => [msisdn, amount]),
      [
        ['08031234567', '1500.00'],
        ['08031234567', '1,50'],
        ['803123456', '1e3'],
      ],
    );
  });

  it('reads the kind of airtime as people write it, and keeps an unknown one unchanged', () => {
    const kinds = ['VTU', 'Share and Sell', 'share & sell', 'share_and_sell', 'Awuf', ''];
    const rows = rowsOf(
      ['Phone,Network,Amount,Airtime Type', ...kinds.map((kind) => `08031234567,MTN,100,${kind}`)].join('\n'),
    );
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['vtu', 'share_and_sell', 'share_and_sell', 'share_and_sell', 'Awuf', undefined],
    );
  });

  it('splits at the separator of the first line, and skips blank lines', () => {
    for (const sign of [',', ';', '\t']) {
      const text = `\ufeffphone${sign}network${sign}amount\r\n\r\n08031234567${sign}MTN${sign}100\r\n${sign}${sign}\r\n`;
      assert.equal(rowsOf(text).length, 1);
    }
  });
});
