/** Runs a command of a page as its reader would: in a shell, or `./oja` in this process. */
import { execFile } from 'node:child_process';
import { runOja } from '../cli/harness.ts';
import type { Reader } from './reader.ts';

export type Ran = {
  /** Why the command failed, if it did. */
  readonly failed: string | undefined;
  /** The status of the last HTTP request; 200 without one. */
  readonly status: number;
  /** The output of the last request, or the command. */
  readonly out: string;
};

/** Each request prints its status separately, and ends its output with a mark. */
const prelude = `
curl() {
  command curl -w '%{stderr}%{http_code}\\n' "$@"
  local code=$?
  printf '\\036'
  return $code
}
`;

export async function runStep(reader: Reader, command: string): Promise<Ran> {
  const lines = command.split('\n').filter((line) => line.trim() !== '');
  const isOja = lines.every((line) => /^(?:\$ )?\.\/oja /.test(line));
  const ran = await (isOja ? runCommands(reader, lines) : runShell(reader, command));
  return { ...ran, out: ran.out.replaceAll(reader.receiver.url, 'https://shop.example') };
}

function runShell(reader: Reader, command: string): Promise<Ran> {
  const { gateway, shop, folder } = reader;
  const { key, secret } = shop.test;
  const names = { OJA: gateway.url, KEY: key, SECRET: secret, OJA_KEY: key, OJA_SECRET: secret };
  const options = { env: { PATH: process.env.PATH, HOME: folder, ...names }, cwd: folder, timeout: 90_000 };
  const script = `set -e\n${prelude}\n${asReader(reader, command)}`;
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], options, (error, stdout, stderr) => {
      const said = stderr.split('\n').filter((line) => line !== '');
      const others = said.filter((line) => !/^\d{3}$/.test(line));
      resolve({
        failed: error === null ? undefined : `ended with ${error.code}: ${others.join('\n')}`,
        status: Number(said.filter((line) => /^\d{3}$/.test(line)).at(-1) ?? 200),
        out: stdout.split('\x1e').at(-2) ?? stdout,
      });
    });
  });
}

async function runCommands({ gateway, ...reader }: Reader, lines: readonly string[]): Promise<Ran> {
  let out = '';
  for (const line of lines) {
    const args = words(asReader({ gateway, ...reader }, line).replace(/^(?:\$ )?\.\/oja /, ''));
    const settings = { OJA_DATA_DIR: gateway.dataDir, DATABASE_URL: gateway.databaseUrl };
    const ran = await runOja(settings, args);
    if (ran.code !== 0) return { failed: `${line}: ${ran.err}`, status: 200, out: ran.out };
    out = ran.out;
  }
  return { failed: undefined, status: 200, out };
}

/** Splits as a shell does; these commands need only quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
}

/**
 * The address, the merchant, the received ids and the days of this run, which replace those of the
 * page.
 */
export function asReader({ gateway, shop, seen, receiver }: Reader, text: string): string {
  const today = new Date(Date.now() + 3_600_000).toISOString().slice(0, 10);
  const own = text
    .replaceAll('http://127.0.0.1:8080', gateway.url)
    .replaceAll('https://gateway.example', gateway.url)
    .replaceAll('https://shop.example', receiver.url)
    .replace(/\bDEMO\b/g, shop.code)
    .replace(/\b(from|to)(=|: '|' => ')\d{4}-\d\d-\d\d\b(?!T)/g, `$1$2${today}`);
  return [...seen].reduce((done, [shown, real]) => done.replaceAll(shown, real), own);
}
