/** The settings of Reloadly are all set or all absent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SettingsReader } from '../../../src/core/settings-reader.ts';
import { readReloadly } from '../../../src/providers/reloadly/settings.ts';
import { commonSettings, readSettings } from '../../support/read-settings.ts';

const account = { OJA_RELOADLY_CLIENT_ID: 'a', OJA_RELOADLY_CLIENT_SECRET: 'b' };

const read = (reader: SettingsReader) => readReloadly(reader, commonSettings);

describe('settings of Reloadly', () => {
  it('requires all settings of the account or none, and has defaults for the others', () => {
    assert.deepEqual(readSettings(read, {}), { settings: undefined, faults: [] });
    assert.deepEqual(readSettings(read, account), {
      settings: {
        businessName: 'Mama Put',
        baseUrl: 'https://giftcards.reloadly.com',
        authUrl: 'https://auth.reloadly.com',
        clientId: 'a',
        clientSecret: 'b',
        signingSecret: undefined,
        connectionsMax: 20,
        deadlineMs: 90_000,
        notFoundGraceMs: 86_400_000,
        refusalGraceMs: 30_000,
      },
      faults: [],
    });
    const begun = {
      OJA_RELOADLY_BASE_URL: 'https://giftcards-sandbox.reloadly.com',
      OJA_RELOADLY_AUTH_URL: 'auth.reloadly.com',
    };
    assert.deepEqual(readSettings(read, begun).faults, ['OJA_RELOADLY_AUTH_URL', ...Object.keys(account)]);
  });
});
