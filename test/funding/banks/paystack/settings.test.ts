/** Settings of Paystack: a key, whose kind chooses the bank. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPaystack } from '../../../../src/funding/banks/paystack/settings.ts';
import { readSettings } from '../../../support/read-settings.ts';

const read = (variables: Record<string, string>) => readSettings(readPaystack, variables);

describe('settings of Paystack', () => {
  it('requires a key, and chooses the bank by its kind', () => {
    assert.deepEqual(read({}), { settings: undefined, faults: [] });
    const banks = ['sk_test_a', 'sk_live_a'].map(
      (key) => read({ OJA_PAYSTACK_SECRET_KEY: key }).settings?.preferredBank,
    );
    assert.deepEqual(banks, ['test-bank', 'titan-paystack']);
    assert.deepEqual(read({ OJA_PAYSTACK_BASE_URL: 'https://api.paystack.co' }).faults, [
      'OJA_PAYSTACK_SECRET_KEY',
    ]);
  });
});
