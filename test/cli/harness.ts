/**
 * The operator's commands on a database of the test: usually in this process, which is faster, or
 * as the process that an operator starts.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../src/app/command-line/run-command-line.ts';
import { createSealer, parseSealingKey } from '../../src/core/sealing.ts';
import type { Database } from '../../src/db/database.ts';
import { loadPepper } from '../../src/operate/keys/secrets.ts';
import { createTestDatabase } from '../support/database.ts';

const entry = join(import.meta.dirname, '..', '..', 'src', 'oja.ts');

export type Ran = {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The reason of the refusal; undefined if none was printed. */
  readonly refused: string | undefined;
  /** The fields that it names as malformed; only with `--json`. */
  readonly fields: readonly string[];
};

/** The output of a command, with the error that it printed. */
function ranOf(code: number, out: string, err: string): Ran {
  const last = err.trimEnd().split('\n').at(-1) ?? '';
  if (last.startsWith('{"error":')) {
    const { error } = JSON.parse(last);
    const fields = (error.fields ?? []).map(({ field }: { field: string }) => field);
    return { code, out, err, refused: error.code, fields };
  }
  return { code, out, err, refused: /^error \((\w+)\): /m.exec(err)?.[1], fields: [] };
}

/** Runs one command in this process, with these settings and no others. */
export async function runOja(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Ran> {
  const [stdout, stderr] = [new Heard(), new Heard()];
  const code = await runCommand(args, { stdin: Readable.from([]), stdout, stderr }, settings);
  return ranOf(code, stdout.text, stderr.text);
}

class Heard extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** Runs one command as a separate process, optionally with a program other than Oja's. */
export function spawnOja(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
  program: string = entry,
): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { env: { PATH: process.env.PATH, ...settings }, timeout: 60_000 },
      (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve(ranOf(code, out, err));
      },
    );
  });
}

/** A command whose output is not read. */
export function startOja(settings: Readonly<Record<string, string>>, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [entry, ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export type Operator = AsyncDisposable & {
  readonly database: Database;
  readonly pepper: KeyObject;
  readonly settings: Readonly<Record<string, string>>;
  oja(...args: string[]): Promise<Ran>;
  /** The result of a command that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: a result is looked into by path, and the assertions judge its shape
  json(...args: string[]): Promise<any>;
};

export async function operator(): Promise<Operator> {
  const clone = await createTestDatabase();
  const encryptionKey = randomBytes(32).toString('hex');
  const key = parseSealingKey(encryptionKey);
  assert.ok(key);
  const dataDir = await mkdtemp(join(tmpdir(), 'oja-operator-'));
  const settings = {
    DATABASE_URL: clone.connectionString,
    OJA_ENCRYPTION_KEY: encryptionKey,
    OJA_DATA_DIR: dataDir,
    // No simulator that happens to run on this machine answers.
    OJA_SIMULATOR_URL: 'http://127.0.0.1:9',
  };
  const oja = (...args: string[]): Promise<Ran> => runOja(settings, args);
  return {
    database: clone.database,
    pepper: await loadPepper(clone.database, createSealer(key)),
    settings,
    oja,
    json: async (...args) => {
      const ran = await oja(...args, '--json');
      assert.equal(ran.code, 0, ran.err);
      return JSON.parse(ran.out).data;
    },
    [Symbol.asyncDispose]: async () => {
      await rm(dataDir, { recursive: true });
      await clone[Symbol.asyncDispose]();
    },
  };
}

/** A key that differs from the gateway's. */
export function strangeKey(): string {
  return createSecretKey(randomBytes(32)).export().toString('hex');
}
