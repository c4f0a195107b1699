/** Copies the files that a new folder gets into the package, before it is packed. */
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { templateFiles } from './src/template.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const template = fileURLToPath(new URL('template/', import.meta.url));

rmSync(template, { recursive: true, force: true });
for (const path of templateFiles) cpSync(`${root}${path}`, `${template}${path}`);
cpSync(`${root}LICENSE`, fileURLToPath(new URL('LICENSE', import.meta.url)));
