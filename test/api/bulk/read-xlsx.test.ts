/** Reading spreadsheet files, and refusing bad ones before they take memory. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { fieldsOfRow, lacksDigits } from '../../../src/api/bulk/columns.ts';
import { readTable } from '../../../src/api/bulk/read-table.ts';
import { readXlsx } from '../../../src/api/bulk/read-xlsx.ts';
import { GatewayError } from '../../../src/core/errors.ts';

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

function xml(text: string): Uint8Array {
  return strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${text}`);
}

/** A sheet with the namespaces that Excel declares, whether it uses them or not. */
function sheetOf(content: string): Uint8Array {
  return xml(
    `<worksheet xmlns="${main}" xmlns:r="${relations}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac">${content}</worksheet>`,
  );
}

/** A file as spreadsheet programs write it, with this content of its sheet. */
function workbook(sheetData: string, more: Zippable = {}): Buffer {
  const parts: Zippable = {
    '[Content_Types].xml': xml(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Staff" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ),
    'xl/sharedStrings.xml': xml(`<sst xmlns="${main}"><si><t>Phone</t></si><si><t>Network</t></si></sst>`),
    'xl/worksheets/sheet1.xml': sheetOf(`<sheetData>${sheetData}</sheetData>`),
    ...more,
  };
  return Buffer.from(zipSync(parts));
}

const heads =
  '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>Amount</t></is></c></row>';

function row(number: number, phone: string, amount = '100'): string {
  return `<row r="${number}"><c r="A${number}"><v>${phone}</v></c><c r="B${number}" t="inlineStr"><is><t>MTN</t></is></c><c r="C${number}"><v>${amount}</v></c></row>`;
}

async function refusedWith(bytes: Buffer): Promise<string> {
  const error = await readXlsx(bytes).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof GatewayError, String(error));
  return error.faults[0]?.code ?? '';
}

describe('a spreadsheet file', () => {
  it('reads the rows of a spreadsheet', async () => {
    const table = readTable(
      await readXlsx(workbook(heads + row(2, '8031234567') + row(3, '2348051234567', '150.5'))),
    );
    assert.deepEqual(table.heads, ['Phone', 'Network', 'Amount']);
    assert.deepEqual(table.rows, [
      ['8031234567', 'MTN', '100'],
      ['2348051234567', 'MTN', '150.5'],
    ]);
  });

  it('keeps all digits of numbers, and no number that was rounded', async () => {
    const numbers = ['2.348031234567E12', '45020000001', '1.2345678901234567E17'];
    const lines = numbers.map((number, index) => row(index + 2, number)).join('');
    const { rows } = readTable(await readXlsx(workbook(heads + lines)));
    const [exact, meter, rounded] = rows.map(([cell]) => cell ?? '');
    assert.deepEqual([exact, meter], ['2348031234567', '45020000001']);
    assert.ok(lacksDigits(rounded ?? ''));
  });

  it('refuses a file that is not a spreadsheet', async () => {
    const broken = workbook(heads + row(2, '8031234567'));
    const empty = Buffer.from(zipSync({ 'a.txt': strToU8('hello') }));
    for (const bytes of [Buffer.from('Phone,Network\n'), Buffer.alloc(0), broken.subarray(0, 300), empty]) {
      assert.equal(await refusedWith(bytes), 'batch_file_unreadable');
    }
  });

  it('refuses a file that unpacks to too much, whatever size it states', async () => {
    const large = strToU8(' '.repeat(13 * 1_048_576));
    const bomb = workbook(heads, { 'xl/styles.xml': large });
    assert.ok(bomb.length < 100_000);
    assert.equal(await refusedWith(bomb), 'batch_file_unreadable');
    // A file that states a small size is cut off there.
    for (let at = 0; at < bomb.length - 4; at += 1) {
      if (bomb.readUInt32LE(at) === 0x02014b50 && bomb.readUInt32LE(at + 24) === large.length) {
        bomb.writeUInt32LE(10, at + 24);
      }
    }
    await readXlsx(bomb).catch((error: unknown) => assert.ok(error instanceof GatewayError));
    // Parts that are not read cost nothing.
    const picture = workbook(heads + row(2, '8031234567'), { 'xl/media/image1.png': large });
    assert.match(await readXlsx(picture), /8031234567/);
  });

  it('reads a file whose extents cover the whole sheet', async () => {
    const sheet = (extent: string) =>
      sheetOf(
        `${extent}<sheetData>${heads}${row(2, '8031234567')}</sheetData><mergeCells><mergeCell ref="D4:XFD1048576"/></mergeCells><dataValidations><dataValidation sqref="A2:A1048576"/></dataValidations><drawing r:id="rId1"/>`,
      );
    const file = workbook('', { 'xl/worksheets/sheet1.xml': sheet('<dimension ref="A1:XFD1048576"/>') });
    assert.equal(readTable(await readXlsx(file)).rows.length, 1);
  });

  it('refuses cells far away and too many rows', async () => {
    const far = '<row r="2"><c r="XFD2"><v>1</v></c></row>';
    assert.equal(await refusedWith(workbook(heads + far)), 'batch_file_unreadable');
    assert.equal(await refusedWith(workbook(heads + row(1_048_576, '1'))), 'batch_rows_full');
    const disguised = '<row r="2"><c x=">" r="&#88;FD2"><v>1</v></c></row>';
    assert.equal(await refusedWith(workbook(heads + disguised)), 'batch_file_unreadable');
    const bare = '<row r="1048576"><c><v>1</v></c></row>';
    assert.equal(await refusedWith(workbook(heads + bare)), 'batch_rows_full');
  });
});

describe('a number that a spreadsheet changed', () => {
  const read = (cell: string) => fieldsOfRow([{ field: 'phone' }], [cell]).msisdn ?? '';

  it('reads a number with all its digits', () => {
    assert.equal(read('2.348031234567E+12'), '2348031234567');
    assert.equal(read('8.031234567e9'), '08031234567');
    assert.equal(read('8031234567'), '08031234567');
  });

  it('refuses a number that lost digits', () => {
    for (const cell of ['2.348E+12', '2.34803E+12', '8E+09']) assert.ok(lacksDigits(read(cell)), cell);
    for (const cell of ['08031234567', '45020000001', 'E12']) assert.ok(!lacksDigits(read(cell)), cell);
  });
});
