/**
 * How busy other programs kept the processors, because figures that were measured next to other
 * work mean little. Linux only.
 *
 * Ours are this process and all its descendants: the database server, the gateways, the load
 * generator.
 */
import { readFile } from 'node:fs/promises';
import { type Process, readProcesses } from './processes.ts';

type Times = { readonly total: number; readonly busy: number; readonly own: number };

/**
 * Returns the fraction of all processors that others have used since the previous call. Undefined
 * if unknown.
 */
export async function watchOtherLoad(): Promise<() => Promise<number | undefined>> {
  let last = await readTimes();
  return async () => {
    const before = last;
    last = await readTimes();
    if (before === undefined || last === undefined) return undefined;
    const others = last.busy - before.busy - (last.own - before.own);
    return Math.max(0, others / Math.max(1, last.total - before.total));
  };
}

/** In clock ticks since the machine started. */
async function readTimes(): Promise<Times | undefined> {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const ticks = stat.slice(0, stat.indexOf('\n')).split(/\s+/).slice(1, 9).map(Number);
  const total = ticks.reduce((sum, value) => sum + value, 0);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  return { total, busy: total - idle, own: await ownTicks() };
}

async function ownTicks(): Promise<number> {
  const processes = await readProcesses();
  let sum = 0;
  for (const [pid, { ticks }] of processes) if (isOurs(pid, processes)) sum += ticks;
  return sum;
}

function isOurs(pid: number, processes: ReadonlyMap<number, Process>): boolean {
  let at = pid;
  while (at > 1) {
    if (at === process.pid) return true;
    at = processes.get(at)?.parent ?? 0;
  }
  return false;
}
