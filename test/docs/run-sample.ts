/**
 * Runs a request of the reference in TypeScript or PHP, with the clients in `sdk/`. References of
 * purchases are new, because the same reader has already sent the request with curl.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Reader } from './reader.ts';
import { asReader } from './run-step.ts';

const sdk = join(import.meta.dirname, '..', '..', 'sdk');
const typescript = join(sdk, 'src', 'index.ts');
const php = join(sdk, 'php', 'autoload.php');

const hasPhp =
  existsSync(php) && spawnSync('php', ['-r', "exit(extension_loaded('curl') ? 0 : 1);"]).status === 0;

/** Why a language is not run. */
export const notThere: Readonly<Record<'typescript' | 'php', string | undefined>> = {
  typescript: existsSync(typescript) ? undefined : 'the TypeScript client is not there',
  php: hasPhp ? undefined : 'the PHP client, php or its extension curl is not there',
};

type Names = Readonly<Record<'key' | 'secret' | 'merchant' | 'url', string>>;

function namesOf({ gateway, shop }: Reader): Names {
  return { ...shop.test, merchant: shop.code, url: gateway.url };
}

function own(reader: Reader, code: string, language: string): string {
  const isPurchase = /request_(?:ref|id)(?::|' =>)/.test(code);
  return asReader(reader, isPurchase ? code.replaceAll('-20261121-', `-${language}-`) : code);
}

/** Fails in the same way as the client. */
export async function runTypescript(reader: Reader, code: string): Promise<void> {
  const { Oja } = await import(pathToFileURL(typescript).href);
  const { key, secret, merchant, url } = namesOf(reader);
  const body = own(reader, code, 'ts').replace(/^import .*$/m, '');
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
  const quiet = { log: () => undefined };
  const run = new AsyncFunction('Oja', 'key', 'secret', 'merchant', 'baseUrl', 'console', body);
  await run(Oja, key, secret, merchant, url, quiet);
}

export async function runPhp(reader: Reader, code: string): Promise<void> {
  const names = Object.entries(namesOf(reader)).map(([name, value]) => `$${name} = '${value}';`);
  const script = [`require '${php}';`, ...names, own(reader, code, 'php')].join('\n');
  await promisify(execFile)('php', ['-d', 'display_errors=stderr', '-r', script], {
    cwd: reader.folder,
    timeout: 90_000,
  });
}
