/**
 * `npm run schema`: writes `schema.sql`, what the files of this folder make of an empty database,
 * and `objects.txt`, the names of it that a gateway looks for at its start.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listSchemaObjects } from '../src/db/schema-objects-store.ts';
import { describeSchema } from '../src/db/schema-store.ts';
import { createTestDatabase } from '../test/support/database.ts';

const path = join(import.meta.dirname, 'schema.sql');
const objectsPath = join(import.meta.dirname, 'objects.txt');
await using empty = await createTestDatabase();
await writeFile(path, await describeSchema(empty.database));
await writeFile(objectsPath, `${(await listSchemaObjects(empty.database)).join('\n')}\n`);
process.stdout.write(`written to ${path} and ${objectsPath}\n`);
