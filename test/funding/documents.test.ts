/** Documents of identity: replaced by an operator, and deleted when they are too old. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFunding } from '../../src/funding/funding.ts';
import type { FundingDependencies } from '../../src/funding/funding-dependencies.ts';
import { operator } from '../cli/harness.ts';

const folder = await mkdtemp(join(tmpdir(), 'oja-documents-'));
after(() => rm(folder, { recursive: true }));

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(1_000)]);
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(1_000)]);

async function fileOf(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const at = ['--env', 'live', '--actor', 'ada', '--file'];

test('replaces a document for an operator, and records it', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  const replace = (path: string) => cli.oja('funding', 'replace-document', 'SHOP', ...at, path);
  for (const [name, bytes, kind] of [
    ['first.jpg', jpeg, 'image/jpeg'],
    ['second.dat', pdf, 'application/pdf'],
  ] as const) {
    const done = await replace(await fileOf(name, bytes));
    assert.equal(done.code, 0, done.err);
    assert.ok(done.out.includes(kind), done.out);
    const shown = join(folder, `shown-${name}`);
    await cli.json('funding', 'document', 'SHOP', ...at, shown);
    assert.ok((await readFile(shown)).equals(bytes));
    const again = await cli.oja('funding', 'document', 'SHOP', ...at, shown);
    assert.equal(again.code, 1);
    assert.ok(again.err.includes('--file'), again.err);
  }
  for (const path of [
    await fileOf('text.jpg', Buffer.from('no picture')),
    await fileOf('large.jpg', Buffer.concat([jpeg, Buffer.alloc(5 * 1_048_576)])),
    join(folder, 'none.jpg'),
  ]) {
    const refused = await replace(path);
    assert.equal(refused.code, 1, path);
    assert.notEqual(refused.err, '');
  }
  const [kept] = await cli.database.query<{ media_type: string }>('select media_type from funding_documents');
  assert.equal(kept?.media_type, 'application/pdf');
  const told = await cli.database.query<{ before: { media_type: string } | null; after: object }>(
    "select before, after from audit_log where action = 'funding.replace_document' order by id",
  );
  assert.deepEqual(
    told.map(({ before }) => before?.media_type),
    [undefined, 'image/jpeg'],
  );
});

test('deletes only documents that are too old, and records it', async () => {
  await using cli = await operator();
  for (const code of ['OLD', 'NEW']) {
    await cli.json('merchant', 'create', code, 'Shop');
    await cli.json('funding', 'replace-document', code, ...at, await fileOf(`${code}.jpg`, jpeg));
  }
  await cli.database.query(
    `update funding_documents
     set uploaded_at = now() - interval '31 days'
     where merchant_id = (select id from merchants where code = 'OLD')`,
  );
  const { background } = createFunding({ database: cli.database } as FundingDependencies);
  await background.forgetDocuments(30);
  const kept = await cli.database.query(
    'select m.code from funding_documents d join merchants m on m.id = d.merchant_id',
  );
  assert.deepEqual(kept, [{ code: 'NEW' }]);
  const told = await cli.database.query(
    "select actor, subject from audit_log where action = 'funding.forget_document'",
  );
  assert.deepEqual(told, [{ actor: 'oja', subject: 'merchant:OLD' }]);
});
