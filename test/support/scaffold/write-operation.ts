/**
 * Writes an operation that changes something of a merchant, with its lines in the registry and the
 * console, and a test. Its command is derived from its name, route and input.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addFile, camelCase, capitalized, changeFile, firstImportOf } from './files.ts';

const registry = 'src/backoffice/operations/registry.ts';
const screens = 'console/src/screens.ts';
const ownView = 'console/src/screens/merchant/own-view.tsx';

export function writeOperation(root: string, name: string, room: string): readonly string[] {
  const [, noun = '', verb = ''] = /^([a-z]+(?:_[a-z]+)*)\.([a-z]+(?:_[a-z]+)*)$/.exec(name) ?? [];
  if (noun === '') throw new Error('NOUN.VERB is small letters, such as merchant.rename');
  if (!existsSync(join(root, 'src', room, 'README.md'))) throw new Error(`src/${room} is not a room`);
  const file = `${verb}-${noun}`.replaceAll('_', '-');
  const id = `${camelCase(verb)}${capitalized(camelCase(noun))}`;
  const wrote = [
    addFile(root, `src/${room}/operations/${file}.ts`, operationOf(name, id, room)),
    addFile(root, `test/${room}/${file}.test.ts`, testOf(name, id, room, file)),
    changeFile(root, registry, '\nconst registered = [', `\nconst registered = [\n  ${id}Operation,`),
    changeFile(
      root,
      registry,
      firstImportOf(root, registry),
      `import { ${id}Operation } from '../../${room}/operations/${file}.ts';\n${firstImportOf(root, registry)}`,
    ),
    changeFile(
      root,
      screens,
      "      // The merchant's own view in the portal.\n",
      `      // The merchant's own view in the portal.\n      '${name}',\n`,
    ),
    changeFile(
      root,
      ownView,
      "        names={{\n          'price.list'",
      `        names={{\n          '${name}': '${capitalized(verb).replaceAll('_', ' ')}',\n          'price.list'`,
    ),
  ];
  return [
    ...[...new Set(wrote)].map((path) => `wrote ${path}`),
    'To do: what it does; its rule in test/backoffice/access/rules.ts; the page of its subject in',
    'docs/operators/; then `npm run operations` and `npm run access`.',
    'See docs/maintainers/adding-an-operation.md.',
  ];
}

function operationOf(name: string, id: string, room: string): string {
  const requireMerchant =
    room === 'merchants' ? '../require-merchant.ts' : '../../merchants/require-merchant.ts';
  return `/** TODO: what it does to a merchant. */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { admins, defineOperation } from '../../core/operation.ts';
import { inputOf, merchantField } from '../../core/operation-fields.ts';
import type { Tx } from '../../db/database.ts';
import { requireMerchant } from '${requireMerchant}';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';

/** Throws OperationError \`no_merchant\`. */
export async function ${id}(
  tx: Tx,
  change: { readonly merchantCode: string },
  actor: ActorOrName,
): Promise<{ readonly merchant: string }> {
  const merchant = await requireMerchant(tx, change.merchantCode);
  await recordOperation(tx, {
    actor,
    action: '${name}',
    subject: \`merchant:\${merchant.code}\`,
    before: {},
    after: {},
  });
  return { merchant: merchant.code };
}

export const ${id}Operation = defineOperation({
  name: '${name}',
  kind: 'act',
  summary: 'TODO',
  roles: admins,
  route: 'POST /merchants/{merchant}/${name.replace(/^.*\./, '').replaceAll('_', '-')}',
  document: 'operators/merchants.md',
  input: inputOf({ merchant: merchantField }),
  output: Type.Object({ merchant: Type.String() }),
  run: async ({ tx, actor }: Acting, { merchant }) => await ${id}(tx, { merchantCode: merchant }, actor),
});
`;
}

function testOf(name: string, id: string, room: string, file: string): string {
  return `/** TODO: what it does, what it refuses, and two at the same time. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { ${id} } from '../../src/${room}/operations/${file}.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusedAct } from '../support/refusals.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
await database.transaction((tx) => createMerchant(tx, { code: 'SHOP', name: 'Shop' }, 'ada'));

it('records the operation in the audit log', async () => {
  await database.transaction((tx) => ${id}(tx, { merchantCode: 'SHOP' }, 'ada'));
  const [last] = await database.query('select action from audit_log order by id desc limit 1');
  assert.deepEqual(last, { action: '${name}' });
});

it('refuses an unknown merchant', async () => {
  const done = database.transaction((tx) => ${id}(tx, { merchantCode: 'NOBODY' }, 'ada'));
  await assert.rejects(done, refusedAct('no_merchant'));
});
`;
}
