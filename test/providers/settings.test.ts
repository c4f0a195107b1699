/** The declared settings of each provider are those that it reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingsReader } from '../../src/core/settings-reader.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import { commonSettings } from '../support/read-settings.ts';

for (const definition of builtInProviders) {
  test(`${definition.name} names all of its settings, and which of them are secrets`, () => {
    const read = new SettingsReader({});
    definition.read(read, commonSettings);
    const shared = ['OJA_PROFILE', 'OJA_TIME_SCALE'];
    const names = [...read.names].filter((name) => !shared.includes(name));
    assert.deepEqual(Object.keys(definition.settings).sort(), names.sort());
    for (const [name, kind] of Object.entries(definition.settings)) {
      if (/KEY|SECRET|CLIENT_ID|ACCESS_CODE/.test(name)) assert.equal(kind, 'secret', name);
      if (/URL/.test(name)) assert.equal(kind, 'address', name);
      if (/ACCOUNT_ID/.test(name)) assert.equal(kind, 'account', name);
    }
  });
}
