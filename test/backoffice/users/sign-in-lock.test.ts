/** Concurrent sign-ins of one user. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  insertUser,
  lockPassword,
  updateSignedIn,
  updateUser,
} from '../../../src/backoffice/users/user-store.ts';
import { newId } from '../../../src/core/ids.ts';
import { openFileDatabase } from '../../support/file-database.ts';

const database = await openFileDatabase();

test('signs a user in from several places at once, and refuses a password that is replaced', async () => {
  const id = newId();
  await database.transaction(async (tx) => {
    await insertUser(tx, {
      id,
      merchant_id: null,
      email: 'ada@oja.example',
      name: 'Ada',
      roles: ['viewer'],
      created_by: 'test',
    });
    await updateUser(tx, id, { password: 'a hash' });
  });
  const signIn = (): Promise<boolean> =>
    database.transaction(async (tx) => {
      const isRight = await lockPassword(tx, id, 'a hash');
      await tx.query('select pg_sleep(0.05)');
      if (isRight) await updateSignedIn(tx, id);
      return isRight;
    });
  assert.deepEqual(await Promise.all([signIn(), signIn(), signIn()]), [true, true, true]);
  await database.transaction((tx) => updateUser(tx, id, { password: null }));
  assert.equal(await signIn(), false);
});
