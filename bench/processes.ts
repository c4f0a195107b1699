/** The processes of the machine and the processor time each has used, as Linux counts them. */
import { readdir, readFile } from 'node:fs/promises';

/** The unit in /proc: hundredths of a second on every Linux that Node.js runs on. */
const TICKS_PER_S = 100;

export type Process = { readonly parent: number; readonly ticks: number };

/** By process id; empty if there is no /proc. */
export async function readProcesses(): Promise<Map<number, Process>> {
  const processes = new Map<number, Process>();
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (!/^[0-9]+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => undefined);
    // The name, in parentheses, may hold anything.
    const fields = stat
      ?.slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    if (fields === undefined) continue;
    // The processor time of the process and of its ended children.
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    processes.set(Number(entry), { parent: fields[1] ?? 0, ticks });
  }
  return processes;
}

/** Processor seconds of a process and its children. Undefined if they cannot be read. */
export async function processorSeconds(pid: number): Promise<number | undefined> {
  const processes = await readProcesses();
  if (!processes.has(pid)) return undefined;
  let ticks = 0;
  for (const [id, { parent, ticks: own }] of processes) if (id === pid || parent === pid) ticks += own;
  return ticks / TICKS_PER_S;
}

/** Processor seconds of a process and all its descendants. */
export function secondsOfTree(
  processes: ReadonlyMap<number, Process>,
  pid: number,
): { readonly own: number; readonly started: number } {
  const isUnder = (id: number): boolean => {
    const parent = processes.get(id)?.parent;
    return parent !== undefined && (parent === pid || isUnder(parent));
  };
  let started = 0;
  for (const [id, { ticks }] of processes) if (isUnder(id)) started += ticks / TICKS_PER_S;
  return { own: (processes.get(pid)?.ticks ?? 0) / TICKS_PER_S, started };
}

/** Undefined if they cannot be read. */
export async function parentOf(pid: number): Promise<number | undefined> {
  return (await readProcesses()).get(pid)?.parent;
}
