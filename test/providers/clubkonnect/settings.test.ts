/** The settings of ClubKonnect are all set or all absent, with defaults. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readClubkonnect } from '../../../src/providers/clubkonnect/settings.ts';
import { readSettings } from '../../support/read-settings.ts';

const keys = { OJA_CLUBKONNECT_USER_ID: 'CK1', OJA_CLUBKONNECT_API_KEY: 'k' };
const read = (variables: Record<string, string>) =>
  readSettings((reader) => readClubkonnect(reader, { notFoundGraceMs: 15_000 }), variables);

it('requires the user and the key or neither, and has defaults for the other settings', () => {
  assert.deepEqual(read({}), { settings: undefined, faults: [] });
  assert.deepEqual(read(keys), {
    settings: {
      baseUrl: 'https://www.nellobytesystems.com',
      userId: 'CK1',
      apiKey: 'k',
      contactPhone: undefined,
      connectionsMax: 20,
      deadlineMs: 50_000,
      notFoundGraceMs: 15_000,
    },
    faults: [],
  });
  assert.deepEqual(read({ OJA_CLUBKONNECT_USER_ID: 'CK1' }).faults, ['OJA_CLUBKONNECT_API_KEY']);
});
