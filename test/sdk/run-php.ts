/** Runs PHP that uses the client of sdk/php, in a process of its own. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../support/until.ts';

/** Debian's, of the packages php-cli and php-curl. */
const php = 'php';

export const phpFolder = join(import.meta.dirname, '..', '..', 'sdk', 'php');

/** Why these tests cannot run here; false where they can. */
export function whyNoPhp(): string | false {
  const { status, stdout } = spawnSync(php, ['-m'], { encoding: 'utf8' });
  if (status !== 0) return 'php is not installed (Debian: php-cli)';
  return /^curl$/m.test(stdout) ? false : 'php has no curl (Debian: php-curl)';
}

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string };
type Variables = Readonly<Record<string, string>>;

/** Arguments of functions are kept in stack traces, so that a secret in them would be seen. */
const settings = ['-d', 'display_errors=stderr', '-d', 'zend.exception_ignore_args=0', '-d', 'log_errors=0'];

/** The program is given to the interpreter as a whole, `<?php` included. */
export async function runPhp(program: string, variables: Variables = {}, folder = phpFolder): Promise<Ran> {
  const child = spawn(php, settings, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...variables },
    timeout: 60_000,
  });
  const ran = { code: null as number | null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    ran.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    ran.err += chunk;
  });
  child.stdin.end(program);
  [ran.code] = await once(child, 'close');
  return ran;
}

/**
 * Returns the result of a function's body as JSON. The body has `$oja`, a client of the environment
 * that never waits, and `$clock`, which has its pauses. An exception of the client becomes its
 * class and its properties.
 */
// biome-ignore lint/suspicious/noExplicitAny: looked into by path, and the assertions judge its shape
export async function ask(body: string, variables: Variables, options = '[]'): Promise<any> {
  const ran = await runPhp(
    `<?php
     declare(strict_types=1);
     require '${phpFolder}/autoload.php';
     $clock = new Oja\\Testing\\FakeClock();
     $told = static fn (Oja\\Outcome $outcome): array => get_object_vars($outcome);
     try {
       $oja = Oja\\Client::fromEnvironment(${options}, null, $clock);
       $answer = (static function () use ($oja, $clock, $told) { ${body} })();
       $answer = $answer instanceof Oja\\Outcome ? $told($answer) : $answer;
     } catch (Oja\\Exception\\OjaException $failure) {
       $answer = [
         'exception' => (new ReflectionClass($failure))->getShortName(),
         'message' => $failure->getMessage(),
         'reference' => $failure->reference,
         'because' => $failure->getPrevious() === null ? null : (new ReflectionClass($failure->getPrevious()))->getShortName(),
         'errors' => $failure instanceof Oja\\Exception\\RequestRefused ? $failure->errors() : [],
         'differs' => $failure->differs ?? null,
         'outcome' => ($failure->outcome ?? null) === null ? null : $told($failure->outcome),
         'dump' => print_r($failure, true) . $failure . var_export($failure->getTrace(), true),
       ];
     }
     echo json_encode(['answer' => $answer, 'pauses' => $clock->pauses]);`,
    variables,
  );
  assert.equal(ran.err, '');
  assert.equal(ran.code, 0, ran.out);
  return JSON.parse(ran.out);
}

/** PHP's own server over the files of a folder, and its output. */
export async function servePhp(
  folder: string,
  port: number,
  variables: Variables,
): Promise<AsyncDisposable & { said(): string }> {
  const server = spawn(php, ['-d', 'log_errors=1', '-d', 'error_log=', '-S', `127.0.0.1:${port}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...variables },
  });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await until('it listens', () => /started/.test(said));
  return {
    said: () => said,
    async [Symbol.asyncDispose]() {
      server.kill();
      await once(server, 'close');
    },
  };
}
