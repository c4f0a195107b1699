/** Compose files, checked with the schema of the Compose Specification. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

export type Service = {
  readonly image?: string;
  readonly build?: unknown;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
};

export type ComposeFile = {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
};

const schema: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'compose', 'compose-spec.json'), 'utf8'),
);
const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile<ComposeFile>(
  withoutDraft(schema),
);

/** The draft is ajv's default, under another name. */
function withoutDraft(given: unknown): object {
  const { $schema: _, ...rest } = given as Record<string, unknown>;
  return rest;
}

/** Returns the errors of the file, or an empty list. */
export function faultsOfCompose(text: string): string[] {
  if (validate(parse(text, { merge: true }))) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The file with its variables replaced. An absent variable without a default is an error. */
export function readCompose(text: string, variables: Readonly<Record<string, string>>): ComposeFile {
  const whole = text.replaceAll(/(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) => {
    const value = variables[name as string];
    if (value !== undefined && value !== '') return value;
    if (kind !== '-') throw new Error(`${name} is not set`);
    return rest as string;
  });
  return parse(whole, { merge: true }) as ComposeFile;
}
