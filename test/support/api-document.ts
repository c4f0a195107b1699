/**
 * The OpenAPI document of the sources under test. A run of all tests makes it once, before the
 * first file; a file that is run by itself makes its own.
 */
import { readFile } from 'node:fs/promises';
import type { ApiDocument } from './contract.ts';

/** Names the file that contains it. */
export const documentVariable = 'OJA_TEST_DOCUMENT';

let made: Promise<string> | undefined;

/** Each call gets its own copy, because a shared object is too easily changed. */
export async function readDocument(): Promise<ApiDocument> {
  const path = process.env[documentVariable];
  made ??= path === undefined ? makeDocument() : readFile(path, 'utf8');
  return JSON.parse(await made);
}

/** As a gateway serves it. */
export async function makeDocument(): Promise<string> {
  const { buildEdge } = await import('../api/harness.ts');
  const { app } = await buildEdge({}, { isHeldToDocument: false });
  const { payload } = await app.inject({ url: '/openapi.json' });
  await app.close();
  return payload;
}
