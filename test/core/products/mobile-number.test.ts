/** Nigerian mobile numbers: every accepted spelling is read, and other texts are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localForm, parseMobileNumber } from '../../../src/core/products/mobile-number.ts';

test('every spelling of a number becomes its international digits', () => {
  for (const text of [
    '08031234567',
    '2348031234567',
    '+2348031234567',
    '23408031234567',
    '+23408031234567',
  ]) {
    assert.equal(parseMobileNumber(text), '2348031234567', text);
  }
});

test('accepts a mobile number of any range, of a known operator or not', () => {
  for (const prefix of ['0701', '0707', '0709', '0719', '0801', '0803', '0819', '0901', '0914', '0919']) {
    assert.equal(parseMobileNumber(`${prefix}1234567`), `234${prefix.slice(1)}1234567`);
  }
});

test('refuses universal access and toll free numbers, and ranges that are not mobile', () => {
  for (const prefix of ['0700', '0800', '0100', '0203', '0603', '0723', '0823', '0923', '0003']) {
    assert.equal(parseMobileNumber(`${prefix}1234567`), undefined, prefix);
  }
});

test('accepts the test numbers, and not their toll free neighbours', () => {
  for (const last of ['1', '2', '3', '4', '5']) {
    assert.equal(parseMobileNumber(`0800000000${last}`), `234800000000${last}`);
    assert.equal(parseMobileNumber(`+234800000000${last}`), `234800000000${last}`);
  }
  assert.equal(parseMobileNumber('08000000999'), '2348000000999');
  assert.equal(parseMobileNumber('08000001000'), undefined);
  assert.equal(parseMobileNumber('07000000001'), undefined);
});

test('refuses text that is not exactly a number', () => {
  const refused = [
    ...['', '0', '234', '+234', '+', 'abc', '0803123456a'],
    ...['0803123456', '080312345678', '234803123456', '23480312345678', '8031234567', '008031234567'],
    ...[
      '0803 123 4567',
      '0803-123-4567',
      ' 08031234567',
      '08031234567 ',
      '08031234567\n',
      '0803123456\u0000',
    ],
    ...[
      '+08031234567',
      '++2348031234567',
      '002348031234567',
      '+2358031234567',
      '2340080312345',
      '234008031234567',
    ],
    ...['\u0660\u0668\u0660\u0663\u0661\u0662\u0663\u0664\u0665\u0666\u0667', '0803123456\ud800'],
  ];
  for (const text of refused) assert.equal(parseMobileNumber(text), undefined, JSON.stringify(text));
});

test('the local form is the one people write', () => {
  assert.equal(localForm('2348031234567'), '08031234567');
});
