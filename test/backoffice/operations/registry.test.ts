/** Rules that hold for every registered operation. */
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { operations } from '../../../src/backoffice/operations/registry.ts';
import { operationCommands } from '../../../src/cli/program.ts';
import { mayWait } from '../../../src/core/operation.ts';
import { runOja } from '../../cli/harness.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('each operation has a unique name and route, and is open to admin', () => {
  const names = operations.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  const routes = operations.map(({ route }) => route.replaceAll(/\{\w+\}/g, '{}'));
  assert.deepEqual(routes, [...new Set(routes)]);
  for (const { name, roles } of operations) assert.ok(roles.includes('admin'), name);
});

test('each operation has exactly one command, except those that run only in a gateway', () => {
  const inGateway = ['merchant_purchase.buy', 'merchant_purchase.quote'];
  assert.deepEqual(
    [...operationCommands.map(({ operation }) => operation.name), ...inGateway].toSorted(),
    operations.map(({ name }) => name).toSorted(),
  );
});

test('each field of an input has a description', () => {
  for (const { name, input } of operations) {
    for (const [field, schema] of Object.entries(input.properties)) {
      const description: unknown = Reflect.get(schema, 'description');
      assert.ok(typeof description === 'string' && description !== '', `${name}: ${field}`);
    }
  }
});

test('each operation with a secret and a key defines the answer of a repetition', () => {
  const secret = operations.filter(({ showsSecret, input }) => showsSecret && 'key' in input.properties);
  assert.ok(secret.length > 0);
  for (const { name, withoutSecret } of secret) assert.ok(withoutSecret, name);
});

test('only operations that move money have a key', () => {
  for (const { name, movesMoney, input } of operations) {
    assert.equal('key' in input.properties, movesMoney === true, name);
  }
});

test('the operations page lists all operations', async () => {
  const page = await readFile(join(root, 'docs', 'operators', 'operations.md'), 'utf8');
  const ran = await runOja({}, ['operations', '--markdown']);
  assert.equal(page, ran.out, 'npm run operations writes it anew');
  const listed = await runOja({}, ['operations', '--json']);
  const rows: { name: string }[] = JSON.parse(listed.out).data;
  assert.deepEqual(
    rows.map(({ name }) => name),
    operations.map(({ name }) => name).toSorted((one, other) => one.localeCompare(other, 'en')),
  );
});

test('each operation has a page', async () => {
  for (const { name, document } of operations) {
    await assert.doesNotReject(access(join(root, 'docs', document)), `${name}: docs/${document}`);
  }
});

test('only provider credentials are typed as secrets, and they are never stored in a task', () => {
  const secret = operations.filter(({ input }) =>
    Object.values(input.properties).some((schema) => Reflect.get(schema, 'writeOnly') === true),
  );
  assert.deepEqual(
    secret.map(({ name }) => name),
    ['provider.set_credentials'],
  );
  for (const { name, isLong, ...operation } of secret as readonly (typeof operations)[number][]) {
    assert.ok(isLong !== true && !mayWait(operation), name);
  }
});
