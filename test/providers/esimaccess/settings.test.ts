/** The settings of eSIM Access are all set or all absent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEsimAccess } from '../../../src/providers/esimaccess/settings.ts';
import { readSettings } from '../../support/read-settings.ts';

const account = { OJA_ESIMACCESS_ACCESS_CODE: 'a', OJA_ESIMACCESS_SECRET_KEY: 'b' };

describe('settings of eSIM Access', () => {
  it('requires all settings of the account or none, and has defaults for the others', () => {
    assert.deepEqual(readSettings(readEsimAccess, {}), { settings: undefined, faults: [] });
    assert.deepEqual(readSettings(readEsimAccess, account), {
      settings: {
        baseUrl: 'https://api.esimaccess.com',
        accessCode: 'a',
        secretKey: 'b',
        connectionsMax: 10,
        perSecond: 8,
        deadlineMs: 60_000,
        notFoundGraceMs: 86_400_000,
      },
      faults: [],
    });
    const begun = { OJA_ESIMACCESS_SECRET_KEY: 'b' };
    assert.deepEqual(readSettings(readEsimAccess, begun).faults, ['OJA_ESIMACCESS_ACCESS_CODE']);
  });
});
