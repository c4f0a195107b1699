/** Copies the model provider `test/app/own/acme` under another name, with its test and a page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addFile, camelCase, capitalized, changeFile } from './files.ts';

const model = 'test/app/own/acme';
const registry = 'src/providers/registry.ts';

export function writeProvider(root: string, name: string): readonly string[] {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    throw new Error('NAME is small letters, digits and hyphens');
  if (existsSync(join(root, 'src/providers', name))) throw new Error(`src/providers/${name} exists`);
  const id = camelCase(name);
  const files = readdirSync(join(root, model)).map((file) => {
    const text = renamed(readFileSync(join(root, model, file), 'utf8'), name);
    return file.endsWith('.test.ts')
      ? addFile(root, `test/providers/${name}/${file}`, forTest(text, name))
      : addFile(root, `src/providers/${name}/${file}`, forSource(text));
  });
  changeFile(
    root,
    registry,
    'import { esimAccess } from',
    `import { ${id} } from './${name}/index.ts';\nimport { esimAccess } from`,
  );
  const end = endOfList(root);
  changeFile(root, registry, end, end.replace(/,?\s*\];/, `, ${id}];`));
  const page = addFile(root, `docs/operators/providers/${name}.md`, pageOf(name));
  return [
    ...[...files, registry, page].map((path) => `wrote ${path}`),
    'To do: its calls, codes and settings; the simulator; test/conformance.',
    'See docs/maintainers/adding-a-provider.md.',
  ];
}

/** Returns the end of the list of providers, on one line or several. */
function endOfList(root: string): string {
  const [end] = /\w+,?\s*\];/.exec(readFileSync(join(root, registry), 'utf8')) ?? [];
  if (end === undefined) throw new Error(`${registry} has no list`);
  return end;
}

function renamed(text: string, name: string): string {
  const id = camelCase(name);
  const comment = /^\/\*\*[\s\S]*? \*\/\n(?=import \{ defineProvider)/;
  return text
    .replace(comment, '/** Acme: airtime. */\n')
    .replaceAll(/OJA_ACME|Acme|acme/g, (found, at: number, whole: string) => {
      if (found === 'OJA_ACME') return prefixOf(name);
      if (found === 'Acme') return capitalized(id);
      return /^acme(?:[A-Z]| = )/.test(whole.slice(at)) ? id : name;
    });
}

/** Of the settings. */
function prefixOf(name: string): string {
  return `OJA_${name.replaceAll('-', '_').toUpperCase()}`;
}

function forSource(text: string): string {
  return text.replaceAll("'../../../../src/providers/", "'../").replaceAll("'../../../../src/", "'../../");
}

function forTest(text: string, name: string): string {
  return text
    .replaceAll("'../../../support/", "'../../support/")
    .replaceAll("'../../../../src/", "'../../../src/")
    .replaceAll("'./", `'../../../src/providers/${name}/`);
}

function pageOf(name: string): string {
  const prefix = prefixOf(name);
  return `# ${capitalized(name)}

Sells airtime.

## Settings

| Setting | Value |
|---|---|
| \`${prefix}_URL\` | the address of the API |
| \`${prefix}_KEY\` | the key of your account |

## Going live

Route purchases to it: \`oja route set live airtime MTN ${name}\`.

## What its answers mean

| Answer | Outcome |
|---|---|
| \`done\` | success |
| \`refused\` | failed |
| anything else | pending: the provider is queried |
`;
}
