/**
 * Titles that a spreadsheet would treat as formulas are text in an exported file, and are imported
 * unchanged.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsvRows } from '../../../src/catalog/files/read-csv-rows.ts';
import { writeCsvExport } from '../../../src/catalog/files/write-catalog-file.ts';

test('no cell that another separator splits off begins as a formula, and each is read back', () => {
  const titles = ['x;=1+1;y', 'x; =1', 'a\t@b', "x;'=1", 'x|+1', '1 GB, -50 %', 'x;"=1"', 'x;y'];
  const csv = writeCsvExport(titles.map((title) => ({ product: 'ESIM', title })));
  for (const part of csv.split(/[,;|\t\n]/)) assert.doesNotMatch(part, /^[ "]*[=+\-@]/);
  const back = readCsvRows(csv).map(({ read }) => 'fields' in read && read.fields.title);
  assert.deepEqual(back, titles);
});

test('no cell of an export begins as a formula, and each is read back unchanged', () => {
  const titles = ['=HYPERLINK("http://x")', '+1', '-2', '@SUM(A1)', "'=1", "''+1", "'quoted'", 'plain'];
  const csv = writeCsvExport(titles.map((title) => ({ product: 'ESIM', title })));
  const cells = csv
    .split('\n')
    .slice(1)
    .map((line) => line.slice('ESIM,'.length).replace(/^"/, ''));
  for (const cell of cells) assert.doesNotMatch(cell, /^[=+\-@]/);
  const back = readCsvRows(csv).map(({ read }) => 'fields' in read && read.fields.title);
  assert.deepEqual(back, titles);
});
