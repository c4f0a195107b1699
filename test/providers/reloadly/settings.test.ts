/** The settings of Reloadly are all set or all absent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SettingsReader } from '../../../src/core/settings-reader.ts';
import { tokenUrlOf } from '../../../src/providers/reloadly/client.ts';
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
    assert.equal(tokenUrlOf('https://giftcards-sandbox.reloadly.com'), 'https://auth.reloadly.com');
    assert.equal(tokenUrlOf('http://127.0.0.1:1/reloadly'), 'http://127.0.0.1:1/reloadly');
    const begun = {
      OJA_RELOADLY_BASE_URL: 'https://giftcards-sandbox.reloadly.com',
    };
    assert.deepEqual(readSettings(read, begun).faults, Object.keys(account));
  });
});
