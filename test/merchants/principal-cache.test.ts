/** Credentials while the coordinator of several servers is away. */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, it } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { DatabaseUnavailableError } from '../../src/db/database-errors.ts';
import type { ListenHandlers } from '../../src/db/listen.ts';
import { isUnchanged } from '../../src/merchants/credential-store.ts';
import { issueCredential } from '../../src/merchants/operations/issue-credential.ts';
import { createPrincipalCache } from '../../src/merchants/principal-cache.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { createTestDatabase } from '../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const pepper = createSecretKey(randomBytes(32));

let merchants = 0;
async function issue(): Promise<string> {
  merchants += 1;
  const code = `CACHE-${merchants}`;
  return await database.transaction(async (tx) => {
    await createMerchant(tx, { code, name: code }, 'test');
    const issued = await issueCredential(tx, pepper, { merchantCode: code, environment: 'test' }, 'test');
    return issued.credential.key_id;
  });
}

function openCache(confirm: 'copy' | 'none') {
  let handlers: ListenHandlers | undefined;
  let isAway = false;
  const coordinator: Database = {
    ...database,
    query: (statement, values) =>
      isAway ? Promise.reject(new DatabaseUnavailableError('it is away')) : database.query(statement, values),
    listen: (_, given) => {
      handlers = given;
      given.onUp();
      return { [Symbol.asyncDispose]: () => Promise.resolve() };
    },
  };
  const cache = createPrincipalCache(
    coordinator,
    systemClock,
    confirm === 'none' ? undefined : (keyId, { version }) => isUnchanged(database, keyId, version),
  );
  return {
    cache,
    goAway: () => {
      isAway = true;
      handlers?.onDown();
    },
    comeBack: () => {
      isAway = false;
      handlers?.onUp();
    },
  };
}

it('uses known credentials that a copy confirms, and no others, while the coordinator is away', async () => {
  const [known, unknown] = [await issue(), await issue()];
  const { cache, goAway, comeBack } = openCache('copy');
  const before = await cache.read(known);
  goAway();
  assert.equal(cache.peek(known), undefined);
  assert.equal(await cache.read(known), before);
  await assert.rejects(cache.read(unknown), DatabaseUnavailableError);
  await database.query('update credentials set last_used_at = now() where key_id = $1', [known]);
  assert.equal(await cache.read(known), before);
  await database.query('update credentials set revoked_at = now() where key_id = $1', [known]);
  await assert.rejects(cache.read(known), DatabaseUnavailableError);
  comeBack();
  const after = await cache.read(known);
  assert.equal(after !== 'unknown' && after.revoked, true);
});

it('refuses every credential while the only database is away', async () => {
  const key = await issue();
  const { cache, goAway } = openCache('none');
  await cache.read(key);
  goAway();
  await assert.rejects(cache.read(key), DatabaseUnavailableError);
});
