/** An export of the audit log can be verified with only the file and the document. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { promisify } from 'node:util';
import type { Sql } from '../../../src/db/database.ts';
import { recordOperation } from '../../../src/oversight/log/audit-log-store.ts';
import { exportLines } from '../../../src/oversight/log/operations/export-audit-log.ts';
import { verifyAuditLog } from '../../../src/oversight/log/operations/verify-audit-log.ts';
import { createTestDatabase } from '../../support/database.ts';

const clone = await createTestDatabase();
const { database } = clone;
const folder = await mkdtemp(join(tmpdir(), 'oja-export-'));
after(async () => {
  await clone[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** One each day, in transactions that begin in the order of their days and end in another. */
for (const day of [1, 2, 4, 3, 5]) {
  await database.transaction(async (tx) => {
    await tx.query('insert into audit_log (at, actor, action, subject) values ($1, $2, $3, $4)', [
      new Date(Date.UTC(2026, 4, day, 10, 0, 0, 123)),
      'ada',
      'test.act',
      `day:${day}`,
    ]);
  });
}
const text = 'é, "quoted"\r\n 北京 😀';
await database.transaction((tx) =>
  recordOperation(tx, {
    actor: { name: '', principal: 'user:root', edge: 'cli' },
    action: 'test.act',
    subject: text,
    before: { number: 12345678901234, text },
  }),
);

const documentText = await readFile(
  join(import.meta.dirname, '..', '..', '..', 'docs', 'operators', 'audit-log.md'),
  'utf8',
);
const script = /```js verify\.mjs\n(.*?)```/s.exec(documentText)?.[1] ?? assert.fail('no program');
await writeFile(join(folder, 'verify.mjs'), script);

type Wanted = Omit<Parameters<typeof exportLines>[1], 'limit'> & { readonly limit?: number };

/** The whole file, from all its pages. */
async function exported(wanted: Wanted, from: Sql = database): Promise<string> {
  const file: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { lines, next } = await exportLines(from, { limit: 100, ...wanted, cursor });
    file.push(...lines.map((line) => `${line}\n`));
    if (next === undefined) return file.join('');
    cursor = next;
  }
}

/** Runs the document's program on the export. Returns whether it is complete, and its output. */
async function verifyFile(file: string): Promise<{ readonly isWhole: boolean; readonly said: string }> {
  const path = join(folder, 'file.ndjson');
  await writeFile(path, file);
  const run = promisify(execFile)(process.execPath, [join(folder, 'verify.mjs'), path]);
  return await run.then(
    ({ stdout }) => ({ isWhole: true, said: stdout }),
    (error: { stderr: string }) => ({ isWhole: false, said: error.stderr }),
  );
}

/** It is not whole, and the program names the entry where that shows. */
async function assertBroken(file: string, at: Line | undefined): Promise<void> {
  const { isWhole, said } = await verifyFile(file);
  assert.equal(isWhole, false);
  assert.equal(/Error: \D*(\d+)/.exec(said)?.[1], at?.id, said);
}

type Line = Record<string, string | null>;

const linesOf = (file: string): Line[] =>
  file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

it('verifies with the program of the document, up to the head in the database', async () => {
  const file = await exported({});
  const { head } = await verifyAuditLog(database);
  const verified = await verifyFile(file);
  assert.deepEqual([verified.isWhole, verified.said.includes(head?.hash ?? 'none')], [true, true]);
  assert.equal(await exported({ limit: 2 }), file);
  const last = linesOf(file).at(-1);
  assert.deepEqual(
    [last?.actor, last?.principal, last?.edge, last?.subject, last?.after],
    ['', 'user:root', 'cli', text, null],
  );
  assert.deepEqual(JSON.parse(last?.before ?? ''), { number: 12345678901234, text });
});

it('detects a changed or missing line', async () => {
  const file = await exported({});
  const lines = linesOf(file);
  const [third, fourth] = [lines[2], lines[3]];
  const changed = file.replace('"subject":"day:4"', '"subject":"day:9"');
  await assertBroken(changed, third);
  const cut = lines.toSpliced(2, 1).map((line) => JSON.stringify(line));
  await assertBroken(cut.join('\n'), fourth);
});

it('exports all entries of some days, as a whole part of the chain', async () => {
  const at = (day: number) => new Date(Date.UTC(2026, 4, day));
  const days = async (from: number, to: number, limit = 100) => {
    const file = await exported({ from: at(from), to: at(to), limit });
    if (file !== '') assert.equal((await verifyFile(file)).isWhole, true);
    return file === '' ? [] : linesOf(file).map(({ subject }) => subject);
  };
  assert.deepEqual(await days(4, 5), ['day:4']);
  assert.deepEqual(await days(1, 3), ['day:1', 'day:2']);
  // The 4th was chained before the 3rd.
  for (const limit of [100, 1, 2]) assert.deepEqual(await days(2, 4, limit), ['day:2', 'day:4', 'day:3']);
  assert.deepEqual(await days(10, 11), []);
  assert.deepEqual(linesOf(await exported({ to: at(2) })).length, 1);
});

it('exports an empty file of an empty log', async () => {
  await using empty = await createTestDatabase();
  assert.equal(await exported({}, empty.database), '');
});
