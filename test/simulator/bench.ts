/** A simulator over HTTP, in this process or a separate one. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Simulator, startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';

export const MAIN = join(import.meta.dirname, '..', '..', 'simulator', 'main.ts');

export const KEYS = {
  'api-key': 'simulator-api-key',
  'public-key': 'PK_simulator',
  'secret-key': 'SK_simulator',
};

type Delivery = Readonly<Record<string, string>> & { readonly reference: string };

type Bench = {
  url(): string;
  readonly journal: string;
  pay(body: Record<string, unknown>): Promise<unknown>;
  requery(reference: string): Promise<unknown>;
  balance(): Promise<number>;
  books(): Promise<Delivery[]>;
  /** One rule for every call. */
  fault(rule: Record<string, unknown>): Promise<Response>;
  putFaults(body: unknown): Promise<Response>;
  stop(): Promise<void>;
  restart(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function openBench(env: Record<string, string> = {}): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-simulator-'));
  const settings = readSettings({ ...envFor(folder), ...env });
  let simulator: Simulator | undefined = await startSimulator(settings);
  const url = (): string => simulator?.url ?? '';
  const putFaults = (body: unknown): Promise<Response> =>
    fetch(`${url()}/faults`, { method: 'PUT', body: JSON.stringify(body) });
  const stop = async (): Promise<void> => {
    await simulator?.close();
    simulator = undefined;
  };
  return {
    url,
    journal: join(folder, 'journal.ndjson'),
    pay: (body) => post(`${url()}/vtpass/api/pay`, body),
    requery: (reference) => post(`${url()}/vtpass/api/requery`, { request_id: reference }),
    balance: async () => {
      const response = await fetch(`${url()}/vtpass/api/balance`, { headers: KEYS });
      return ((await response.json()) as { contents: { balance: number } }).contents.balance;
    },
    books: () => readBooks(url()),
    fault: (rule) => putFaults({ seed: 1, rules: [rule] }),
    putFaults,
    stop,
    restart: async () => {
      await stop();
      simulator = await startSimulator(settings);
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

export async function temporaryFolder(): Promise<{ path: string; [Symbol.asyncDispose](): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'oja-simulator-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export function envFor(folder: string): Record<string, string> {
  return { OJA_SIMULATOR_PORT: '0', OJA_SIMULATOR_DIR: folder };
}

export async function spawnSimulator(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(MAIN, { env: envFor(folder), silent: true });
  return { child, url: await readyUrl(child) };
}

export async function readyUrl(child: ChildProcess): Promise<string> {
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    const url = /listening on (http:\S+)/.exec(printed)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`did not start: ${printed}`);
}

/** Standard error of a start that must fail. */
export async function failedStart(env: Record<string, string>): Promise<string> {
  const child = fork(MAIN, { env, silent: true });
  let printed = '';
  child.stderr?.on('data', (chunk) => {
    printed += String(chunk);
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  return printed;
}

export async function readBooks(url: string): Promise<Delivery[]> {
  const text = await (await fetch(`${url}/books`)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Delivery);
}

export async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', headers: KEYS, body: JSON.stringify(body) });
  return await response.json();
}

let ids = 0;

export function newId(): string {
  ids += 1;
  const lagos = new Date(Date.now() + 60 * 60 * 1000).toISOString().replace(/\D/g, '').slice(0, 12);
  return `${lagos}t${process.pid}n${ids}`;
}

export function codeOf(reply: unknown): string {
  return (reply as { code: string }).code;
}

export function statusOf(reply: unknown): string | undefined {
  return (reply as { content: { transactions: { status: string } } }).content.transactions.status;
}

export async function eventually(check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await check())) {
    assert.ok(Date.now() < deadline, 'did not come about');
    await sleep(10);
  }
}
