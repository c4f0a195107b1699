/** One rule defines an e-mail address: for customers, account holders and the sender of mails. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isEmail, isSender } from '../../src/core/email.ts';

const local64 = 'a'.repeat(64);

describe('an e-mail address', () => {
  for (const text of [
    'ada@example.com',
    'Ada.Obi+cards@mail.example.co.uk',
    "o'brien@example.com",
    'ada@xn--80ak6aa92e.xn--p1ai',
    'ada@1st.example',
    `${local64}@example.com`,
  ]) {
    it(`accepts the address ${text}`, () => assert.ok(isEmail(text)));
  }

  for (const text of [
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@example.c',
    'ada@example.1com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example..com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'ada@b@example.com',
    'ada obi@example.com',
    'ada@example.com\r\nBcc: x@example.com',
    'Ada <ada@example.com>',
    '"ada"@example.com',
    `a${local64}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'a.'.repeat(125)}com`,
  ]) {
    it(`refuses the address ${JSON.stringify(text)}`, () => assert.equal(isEmail(text), false));
  }
});

describe('a sender of mails', () => {
  for (const text of [
    'cards@shop.example',
    'Shop <cards@shop.example>',
    '<cards@shop.example>',
    'oja@shop',
  ]) {
    it(`accepts the sender ${text}`, () => assert.ok(isSender(text)));
  }

  for (const text of [
    '',
    'Shop',
    'Shop <>',
    'Shop <cards>',
    'Shop <a@b.example> x',
    'Sh\nop <a@b.example>',
  ]) {
    it(`refuses the sender ${JSON.stringify(text)}`, () => assert.equal(isSender(text), false));
  }
});
