/**
 * Writes the types of the API for `sdk/` from the OpenAPI document, and the methods of the client
 * in docs/merchants/sdk.md from `sdk/methods.json`: `npm run sdk-types`. A test compares both.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import methods from '../../sdk/methods.json' with { type: 'json' };
import { emitTypes, type OpenApiDocument } from '../../sdk/tools/emit-types.ts';
import { makeDocument } from './api-document.ts';
import { replaceWritten } from './replace-written.ts';

export const sdkPage = new URL('../../docs/merchants/sdk.md', import.meta.url);

/** The page with its current table of methods, a row for each resource. */
export function withMethods(text: string): string {
  const named = Object.values(methods).map((name) => name.split('.'));
  const rows = Object.entries(Object.groupBy(named, ([resource = '']) => resource)).map(
    ([resource, found = []]) =>
      `| \`${resource}\` | ${found.map(([, method = '']) => `\`${method}\``).join(', ')} |`,
  );
  return replaceWritten(text, 'methods', ['| Resource | Methods |', '|---|---|', ...rows].join('\n'));
}

if (import.meta.main) {
  const target = new URL('../../sdk/src/generated/api.ts', import.meta.url);
  writeFileSync(target, emitTypes(JSON.parse(await makeDocument()) as OpenApiDocument));
  writeFileSync(sdkPage, withMethods(readFileSync(sdkPage, 'utf8')));
}
