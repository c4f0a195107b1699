/**
 * The recommended rules of Redocly's linter of OpenAPI documents. It weighs 24 MB, so it is no
 * dependency: each run installs it into a temporary folder.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { cleanUpAfter } from './clean-up-after.ts';

const run = promisify(execFile);
const linter = '@redocly/openapi-core';

type Problem = {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
};

type Linter = {
  createConfig(rules: { readonly extends: readonly string[]; readonly telemetry: 'off' }): Promise<unknown>;
  lintFromString(options: {
    readonly source: string;
    readonly absoluteRef: string;
    readonly config: unknown;
  }): Promise<readonly Problem[]>;
};

/** Resolves to a function that returns a line for each finding of a document. */
export async function installLinter(): Promise<(source: object) => Promise<string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-linter-'));
  cleanUpAfter(folder);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', `${linter}@2.64.0`], { cwd: folder });
  const program = createRequire(join(folder, 'package.json')).resolve(linter);
  const { createConfig, lintFromString } = (await import(pathToFileURL(program).href)) as Linter;
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
  return async (source) => {
    const problems = await lintFromString({
      source: JSON.stringify(source),
      absoluteRef: 'openapi.json',
      config,
    });
    return problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`);
  };
}
