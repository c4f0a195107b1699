/** Settings of SMEPlug: a key, and defaults. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readSmeplug } from '../../../src/providers/smeplug/settings.ts';
import { readSettings } from '../../support/read-settings.ts';

const read = (variables: Record<string, string>) =>
  readSettings((reader) => readSmeplug(reader, { notFoundGraceMs: 15_000 }), variables);

it('requires the key, and has defaults for the other settings', () => {
  assert.deepEqual(read({}), { settings: undefined, faults: [] });
  assert.deepEqual(read({ OJA_SMEPLUG_SECRET_KEY: 'k' }), {
    settings: {
      baseUrl: 'https://smeplug.ng/api/v1',
      secretKey: 'k',
      connectionsMax: 20,
      deadlineMs: 50_000,
      notFoundGraceMs: 15_000,
    },
    faults: [],
  });
  assert.deepEqual(read({ OJA_SMEPLUG_BASE_URL: 'https://smeplug.ng/api/v2' }).faults, [
    'OJA_SMEPLUG_SECRET_KEY',
  ]);
});
