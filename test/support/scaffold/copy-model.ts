/** Copies a model of the tests into the source under another name, with its test and a page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { addFile, camelCase, capitalized, changeFile, firstImportOf } from './files.ts';

export type Model = {
  /** The folder, named after the word that the copy replaces. */
  readonly folder: string;
  /** Where the copy is a folder, beside its `registry.ts`. */
  readonly source: string;
  /** Where its test is a folder. */
  readonly tests: string;
  /** The page for operators. `prefix` is that of the settings. */
  page(title: string, prefix: string, name: string): string;
};

/** Returns the written files. Throws if a file exists, or if the name is unsuitable. */
export function copyModel(root: string, model: Model, name: string): readonly string[] {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    throw new Error('NAME is small letters, digits and hyphens');
  const source = `${model.source}/${name}`;
  if (existsSync(join(root, source))) throw new Error(`${source} exists`);
  const id = camelCase(name);
  const files = readdirSync(join(root, model.folder)).map((file) => {
    const folder = file.endsWith('.test.ts') ? `${model.tests}/${name}` : source;
    const text = readFileSync(join(root, model.folder, file), 'utf8');
    return addFile(root, `${folder}/${file}`, withImports(renamed(text, model, name), model, folder, source));
  });
  const registry = `${model.source}/registry.ts`;
  const first = firstImportOf(root, registry);
  changeFile(root, registry, first, `import { ${id} } from './${name}/index.ts';\n${first}`);
  const end = endOfList(root, registry);
  changeFile(root, registry, end, end.replace(/,?\s*\];/, `, ${id}];`));
  const page = model.page(capitalized(id), prefixOf(name), name);
  return [...files, registry, addFile(root, `docs/operators/providers/${name}.md`, page)];
}

/** Returns the end of a list, on one line or several. */
function endOfList(root: string, path: string): string {
  const [end] = /\w+,?\s*\];/.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  if (end === undefined) throw new Error(`${path} has no list`);
  return end;
}

/** Rewrites the imports of a file that is copied to `folder`. The model is copied to `source`. */
function withImports(text: string, model: Model, folder: string, source: string): string {
  return text.replaceAll(/(?<=from |import\()'(\.[^']+)'/g, (_, target: string) => {
    const path = posix.join(model.folder, target).replace(`${model.folder}/`, `${source}/`);
    const written = posix.relative(folder, path);
    return `'${written.startsWith('.') ? written : `./${written}`}'`;
  });
}

function renamed(text: string, { folder }: Model, name: string): string {
  const word = posix.basename(folder);
  const title = capitalized(word);
  const setting = `OJA_${word.toUpperCase()}`;
  const id = camelCase(name);
  const comment = /^\/\*\*\n \* A custom (?:provider|bank)[\s\S]*? \*\/\n/;
  return text
    .replace(comment, `/** ${title}: TODO. */\n`)
    .replaceAll(new RegExp(`${setting}|${title}|${word}`, 'g'), (found, at: number, whole: string) => {
      if (found === setting) return prefixOf(name);
      if (found === title) return capitalized(id);
      const rest = whole.slice(at + word.length);
      return /^(?:[A-Z]| = )/.test(rest) ? id : name;
    });
}

/** Of the settings. */
function prefixOf(name: string): string {
  return `OJA_${name.replaceAll('-', '_').toUpperCase()}`;
}
