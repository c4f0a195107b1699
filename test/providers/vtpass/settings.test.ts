/** The settings of VTpass are all set or all absent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readVtpass } from '../../../src/providers/vtpass/settings.ts';
import { readSettings } from '../../support/read-settings.ts';

const keys = { OJA_VTPASS_API_KEY: 'a', OJA_VTPASS_PUBLIC_KEY: 'b', OJA_VTPASS_SECRET_KEY: 'c' };
const read = (variables: Record<string, string>) =>
  readSettings((reader) => readVtpass(reader, { notFoundGraceMs: 15_000 }), variables);

describe('settings of VTpass', () => {
  it('requires all keys or none, and has defaults for the other settings', () => {
    assert.deepEqual(read({}), { settings: undefined, faults: [] });
    assert.deepEqual(read(keys), {
      settings: {
        baseUrl: 'https://vtpass.com/api',
        apiKey: 'a',
        publicKey: 'b',
        secretKey: 'c',
        contactPhone: undefined,
        connectionsMax: 50,
        deadlineMs: 50_000,
        notFoundGraceMs: 15_000,
      },
      faults: [],
    });
    assert.deepEqual(read({ OJA_VTPASS_API_KEY: 'a' }).faults, [
      'OJA_VTPASS_PUBLIC_KEY',
      'OJA_VTPASS_SECRET_KEY',
    ]);
    assert.deepEqual(
      read({ OJA_VTPASS_BASE_URL: 'https://sandbox.vtpass.com/api' }).faults,
      Object.keys(keys),
    );
  });
});
