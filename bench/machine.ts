/** The machine of a run: figures mean nothing without it. */
import { execFile } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sql } from '../src/db/database.ts';
import { readServerSettings } from './bench-store.ts';
import { formatMb, formatMs, median } from './results.ts';

const run = promisify(execFile);
const FLUSHES = 100;

/** Facts by name, for people. `dir` is where the database lives. */
export async function machineFacts(sql: Sql, dir: string): Promise<Record<string, string>> {
  const [cpu] = cpus();
  const { version, ...settings } = await readServerSettings(sql);
  return {
    processors: `${cpus().length} × ${cpu?.model ?? 'unknown'}`,
    memory: formatMb(totalmem()),
    system: `${platform()} ${release()}`,
    node: process.version,
    postgresql: version,
    'database settings': Object.entries(settings)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    'flush of 8 KB to disk': `${formatMs(await flushMs(dir))} (median)`,
    'load before the run': loadavg()
      .map((load) => load.toFixed(2))
      .join(' '),
  };
}

/** The memory a process occupies. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  const kilobytes =
    status === undefined
      ? (await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
      : /^VmRSS:\s+([0-9]+) kB$/m.exec(status)?.[1];
  return Number(kilobytes) * 1_024;
}

async function flushMs(dir: string): Promise<number> {
  const path = join(dir, 'flush');
  const file = await open(path, 'w');
  const times: number[] = [];
  try {
    for (let i = 0; i < FLUSHES; i += 1) {
      const startedAt = performance.now();
      await file.write(Buffer.alloc(8_192, i), 0, 8_192, i * 8_192);
      await file.datasync();
      times.push(performance.now() - startedAt);
    }
  } finally {
    await file.close();
    await rm(path);
  }
  return median(times);
}
