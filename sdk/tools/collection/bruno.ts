/** Writes the collection as a folder for Bruno, by paths within it. */
import { accessOf, addressOf, type Environment, headersOf } from './postman.ts';
import {
  type CollectionRequest,
  environments,
  type Folder,
  introduction,
  type Query,
  variables,
} from './requests.ts';

export function brunoFiles(folders: readonly Folder[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const manifest = { version: '1', name: 'Oja', type: 'collection', ignore: ['node_modules', '.git'] };
  files.set('bruno.json', `${JSON.stringify(manifest, null, 2)}\n`);
  files.set(
    'collection.bru',
    blocks([fields('vars:pre-request', Object.entries(variables)), text('docs', introduction)]),
  );
  for (const name of Object.keys(environments) as Environment[])
    files.set(`environments/Oja ${name}.bru`, environment(name));
  for (const [index, folder] of folders.entries()) {
    const place = fileName(folder.name);
    const meta = fields('meta', [
      ['name', folder.name],
      ['seq', String(index + 1)],
    ]);
    files.set(`${place}/folder.bru`, blocks([meta, text('docs', folder.description)]));
    for (const [number, request] of folder.requests.entries()) {
      const path = `${place}/${fileName(request.name)}.bru`;
      if (files.has(path)) throw new Error(`two requests are called ${path}`);
      files.set(path, requestFile(request, number + 1));
    }
  }
  return files;
}

/** Letters, digits and blanks: a file name on every system. */
function fileName(name: string): string {
  return name
    .replaceAll(/[^A-Za-z0-9 -]/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}

function environment(name: Environment): string {
  const secrets = 'vars:secret [\n  key,\n  secret\n]\n';
  return `${fields('vars', Object.entries(environments[name]))}${secrets}`;
}

function requestFile(request: CollectionRequest, seq: number): string {
  const { name, method, body, query, pathValues, status, keeps, description } = request;
  const kept = Object.entries(status === 200 ? keeps : {});
  return blocks([
    fields('meta', [
      ['name', name],
      ['type', 'http'],
      ['seq', String(seq)],
    ]),
    fields(method, [
      ['url', addressOf(request)],
      ['body', body === undefined ? 'none' : 'json'],
      ['auth', 'none'],
    ]),
    fields('params:query', query.map(parameter)),
    fields('params:path', Object.entries(pathValues)),
    fields('headers', headersOf(request)),
    body === undefined ? '' : text('body:json', JSON.stringify(body, null, 2)),
    fields(
      'vars:post-response',
      kept.map(([variable, place]) => [variable, `res.body${accessOf(place)}`]),
    ),
    fields('assert', [['res.status', `eq ${status}`]]),
    text('docs', description),
  ]);
}

function parameter({ name, value, enabled }: Query): readonly [string, string] {
  return [enabled ? name : `~${name}`, value];
}

function blocks(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/** Empty without fields. */
function fields(block: string, of: readonly (readonly [string, string])[]): string {
  if (of.length === 0) return '';
  const lines = of.map(([name, value]) => `  ${name}: ${value}`.trimEnd());
  return `${block} {\n${lines.join('\n')}\n}\n`;
}

function text(block: string, content: string): string {
  const lines = content.split('\n').map((line) => `  ${line}`.trimEnd());
  return `${block} {\n${lines.join('\n')}\n}\n`;
}
