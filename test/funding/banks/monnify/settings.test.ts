/** The settings of Monnify are all set or all absent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMonnify } from '../../../../src/funding/banks/monnify/settings.ts';
import { readSettings } from '../../../support/read-settings.ts';

const account = { OJA_MONNIFY_API_KEY: 'a', OJA_MONNIFY_SECRET_KEY: 'b', OJA_MONNIFY_CONTRACT_CODE: 'c' };

describe('settings of Monnify', () => {
  it('requires all settings of the account or none, and has defaults for the others', () => {
    assert.deepEqual(readSettings(readMonnify, {}), { settings: undefined, faults: [] });
    assert.deepEqual(readSettings(readMonnify, { ...account, OJA_MONNIFY_PREFERRED_BANKS: '035, 50515' }), {
      settings: {
        baseUrl: 'https://api.monnify.com',
        apiKey: 'a',
        secretKey: 'b',
        contractCode: 'c',
        preferredBanks: ['035', '50515'],
        deadlineMs: 15_000,
      },
      faults: [],
    });
    const begun = { OJA_MONNIFY_API_KEY: 'a', OJA_MONNIFY_PREFERRED_BANKS: 'Wema' };
    assert.deepEqual(readSettings(readMonnify, begun).faults, [
      'OJA_MONNIFY_PREFERRED_BANKS',
      'OJA_MONNIFY_SECRET_KEY',
      'OJA_MONNIFY_CONTRACT_CODE',
    ]);
  });
});
