/** Writes the types of the API for `sdk/` from the OpenAPI document: `npm run sdk-types`. */
import { writeFile } from 'node:fs/promises';
import { emitTypes, type OpenApiDocument } from '../../sdk/tools/emit-types.ts';
import { makeDocument } from './api-document.ts';

const target = new URL('../../sdk/src/generated/api.ts', import.meta.url);
await writeFile(target, emitTypes(JSON.parse(await makeDocument()) as OpenApiDocument));
