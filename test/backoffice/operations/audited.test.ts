/** Each operation that changes something writes an audit entry with its own name. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { operations } from '../../../src/backoffice/operations/registry.ts';

const src = join(import.meta.dirname, '..', '..', '..', 'src');
const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(src, name), 'utf8'))
  .filter((text) => text.includes('recordOperation(') || text.includes('action:'))
  .join('\n');

/** Names in a value of `action`, up to the end of the property. */
const actions = new Set(
  [...code.matchAll(/\baction(?::|\s*=)([^;,}]*)/g)].flatMap(([, value = '']) =>
    [...value.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, name = '']) => name),
  ),
);

const credentials = ['action: `provider.$', '{verb}_credentials`'].join('');

/** Operations whose entry has another name, or a composed name, as in the code. */
const otherwise: Readonly<Record<string, string>> = {
  'catalog.import': "action: 'catalog.change'",
  'catalog.sync': "action: 'catalog.change'",
  'funding.forget_documents': "action: 'funding.forget_document'",
  'provider.set_credentials': credentials,
  'provider.restore_credentials': credentials,
  'team.resume': "suspended ? 'suspend' : 'resume'",
  'team.suspend': "suspended ? 'suspend' : 'resume'",
  'user.resume': "suspended ? 'suspend' : 'resume'",
  'user.suspend': "suspended ? 'suspend' : 'resume'",
  'voucher.cancel_issue': "action: 'voucher.cancel'",
  'webhook.replay_delivery': "action: 'webhook.replay'",
};

/** Whether running it writes an entry. */
function isAudited(name: string): boolean {
  const written = otherwise[name];
  return written === undefined ? actions.has(name) : code.includes(written);
}

it('writes an entry of the audit log for each operation that changes something', () => {
  const changing = operations.filter(({ kind }) => kind !== 'question').map(({ name }) => name);
  assert.ok(changing.length > 60);
  assert.deepEqual(
    changing.filter((name) => !isAudited(name)),
    [],
  );
  // Remove an exception that no longer applies.
  assert.deepEqual(
    Object.keys(otherwise).filter((name) => actions.has(name) || !changing.includes(name as never)),
    [],
  );
});

it('detects an operation without an audit entry', () => {
  assert.ok(!isAudited('merchant.rename'));
  assert.ok(isAudited('merchant.create'));
});
