/**
 * `npm run schema`: writes `schema.sql`, what the files of this folder make of an empty database.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSchema } from '../src/db/schema-store.ts';
import { createTestDatabase } from '../test/support/database.ts';

const path = join(import.meta.dirname, 'schema.sql');
await using empty = await createTestDatabase();
await writeFile(path, await describeSchema(empty.database));
process.stdout.write(`written to ${path}\n`);
