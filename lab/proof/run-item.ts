/** Runs one item: its output is passed on, and its end is kept for the table. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { tailOf } from './found.ts';
import type { Item } from './items.ts';
import type { Row } from './table.ts';

export const root = join(import.meta.dirname, '..', '..');

const KEPT_CHARACTERS = 1_000_000;
const TAIL_LINES = 8;

/** Resolves with the row of an item. `stopped` ends the item with SIGTERM. */
export async function runItem(item: Item, stopped: AbortSignal): Promise<Row> {
  const { name, environment } = item;
  const command = commandOf(item);
  const missing = item.missing?.() ?? [];
  if (missing.length > 0) {
    const found = `not available on this machine: ${missing.join(', ')}`;
    return { name, command, seconds: undefined, result: 'skipped', found };
  }
  const startedMs = performance.now();
  const child = spawn(process.execPath, item.command, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (): boolean => child.kill('SIGTERM');
  stopped.addEventListener('abort', stop);
  let output = '';
  const pass = (to: NodeJS.WriteStream) => (text: string) => {
    to.write(text);
    output = `${output}${text}`.slice(-KEPT_CHARACTERS);
  };
  child.stdout.setEncoding('utf8').on('data', pass(process.stdout));
  child.stderr.setEncoding('utf8').on('data', pass(process.stderr));
  const [code] = await once(child, 'close');
  stopped.removeEventListener('abort', stop);
  return {
    name,
    command,
    seconds: (performance.now() - startedMs) / 1_000,
    result: code === 0 ? 'passed' : 'failed',
    found: code === 0 ? item.found(output) : tailOf(output, TAIL_LINES),
  };
}

/** The command as a user types it. */
export function commandOf({ command, environment = {} }: Pick<Item, 'command' | 'environment'>): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return [...variables, 'node', ...command].join(' ');
}
