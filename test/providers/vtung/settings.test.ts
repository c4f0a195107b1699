/** The settings of VTU.ng are all set or all absent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readVtung } from '../../../src/providers/vtung/settings.ts';
import { readSettings } from '../../support/read-settings.ts';

const account = { OJA_VTUNG_USERNAME: 'a', OJA_VTUNG_PASSWORD: 'b' };
const read = (variables: Record<string, string>) =>
  readSettings((reader) => readVtung(reader, { notFoundGraceMs: 15_000 }), variables);

describe('settings of VTU.ng', () => {
  it('requires all settings of the account or none, and has defaults for the others', () => {
    assert.deepEqual(read({}), { settings: undefined, faults: [] });
    const { settings, faults } = read(account);
    assert.deepEqual(faults, []);
    assert.equal(settings?.baseUrl, 'https://vtu.ng/wp-json');
    assert.equal(settings?.pin, undefined);
    assert.equal(settings?.notFoundGraceMs, 180_000, 'an order may not be visible before');
    assert.deepEqual(read({ OJA_VTUNG_BASE_URL: 'https://ebills.africa/wp-json' }).faults, [
      ...Object.keys(account),
    ]);
  });
});
