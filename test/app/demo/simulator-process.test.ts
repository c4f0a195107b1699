/** The environment of the demo's simulator: its own settings, and no secret of the gateway. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownVariables } from '../../../src/app/demo/start-simulator.ts';

test('gives the simulator only its own settings and what Node.js needs', () => {
  const own = { OJA_SIMULATOR_LATENCY_MS: '5', PATH: '/bin', NODE_OPTIONS: '--no-warnings', TZ: 'UTC' };
  const secrets = {
    DATABASE_URL: 'postgresql://u:p@db/oja',
    OJA_ENCRYPTION_KEY: 'ab',
    OJA_ENCRYPTION_KEYS_OLD: 'cd',
    OJA_VTPASS_SECRET_KEY: 'x',
    AWS_SECRET_ACCESS_KEY: 'y',
    X_OJA_SIMULATOR_PORT: 'z',
  };
  assert.deepEqual(ownVariables({ ...secrets, ...own }), own);
});
