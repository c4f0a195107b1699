/** The settings of Nomba are all set or all absent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SettingsReader } from '../../../src/core/settings-reader.ts';
import { readNomba } from '../../../src/providers/nomba/settings.ts';
import { commonSettings, readSettings } from '../../support/read-settings.ts';

const account = { OJA_NOMBA_ACCOUNT_ID: 'a', OJA_NOMBA_CLIENT_ID: 'b', OJA_NOMBA_CLIENT_SECRET: 'c' };

const read = (reader: SettingsReader) => readNomba(reader, commonSettings);

describe('settings of Nomba', () => {
  it('requires all settings of the account or none, and has defaults for the others', () => {
    assert.deepEqual(readSettings(read, {}), { settings: undefined, faults: [] });
    assert.deepEqual(readSettings(read, account), {
      settings: {
        businessName: 'Mama Put',
        baseUrl: 'https://api.nomba.com',
        accountId: 'a',
        subAccountId: undefined,
        clientId: 'b',
        clientSecret: 'c',
        signatureKey: undefined,
        connectionsMax: 50,
        perSecond: 15,
        deadlineMs: 50_000,
        notFoundGraceMs: 86_400_000,
        refusalGraceMs: 30_000,
      },
      faults: [],
    });
    const begun = { OJA_NOMBA_BASE_URL: 'https://sandbox.nomba.com' };
    assert.deepEqual(readSettings(read, begun).faults, [...Object.keys(account)]);
  });
});
