/**
 * Measures the memory of a gateway's process after garbage collection, through its inspector, and
 * whether it grows.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Gateway } from '../../test/support/gateway.ts';

export type MemorySample = { readonly requests: number; readonly heapMb: number; readonly rssMb: number };

export function sampleText({ requests, heapMb, rssMb }: MemorySample): string {
  return `${requests}: heap ${heapMb.toFixed(1)} MB, resident ${rssMb.toFixed(0)} MB`;
}

export type MemoryWatch = Disposable & {
  sample(requests: number): Promise<MemorySample>;
};

/** Objects that one collection only finalizes are collected by the next. */
const COLLECTIONS = 3;

export async function watchMemory(gateway: Gateway): Promise<MemoryWatch> {
  const url = /ws:\/\/\S+/.exec(gateway.output())?.[0];
  if (url === undefined) throw new Error('the gateway was not started with --inspect');
  const socket = new WebSocket(url);
  await once(socket, 'open');
  let calls = 0;
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id === undefined) return;
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const call = (method: string): Promise<unknown> =>
    new Promise((resolve) => {
      calls += 1;
      waiting.set(calls, resolve);
      socket.send(JSON.stringify({ id: calls, method }));
    });
  return {
    sample: async (requests) => {
      for (let count = 0; count < COLLECTIONS; count += 1) await call('HeapProfiler.collectGarbage');
      const { usedSize } = (await call('Runtime.getHeapUsage')) as { usedSize: number };
      const status = await readFile(`/proc/${gateway.pid}/status`, 'utf8');
      const rssMb = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
      return { requests, heapMb: usedSize / 1_048_576, rssMb };
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

export type MemoryVerdict = {
  /** Per 100,000 requests, after the warm-up. */
  readonly heapMb: number;
  readonly rssMb: number;
  readonly faults: readonly string[];
};

/** Until then caches fill and code is compiled. */
const WARM_REQUESTS = 100_000;
/** With fewer samples or requests, no slope is computed. */
const SAMPLES_MIN = 6;
const SPAN_MIN = 100_000;
/** The growth allowed in 100,000 requests. Resident memory also varies by itself. */
const growthMax = { heapMb: 1, rssMb: 5 };

/** Undefined if the run was too short to decide. */
export function checkMemory(samples: readonly MemorySample[]): MemoryVerdict | undefined {
  const warm = samples.filter(({ requests }) => requests >= WARM_REQUESTS);
  const [first, last] = [warm[0], warm.at(-1)];
  if (first === undefined || last === undefined || warm.length < SAMPLES_MIN) return undefined;
  if (last.requests - first.requests < SPAN_MIN) return undefined;
  const [heapMb, rssMb] = [slopeOf(warm, 'heapMb'), slopeOf(warm, 'rssMb')];
  const faults = [
    ...(heapMb > growthMax.heapMb ? [growth('the heap', heapMb, growthMax.heapMb)] : []),
    ...(rssMb > growthMax.rssMb ? [growth('resident memory', rssMb, growthMax.rssMb)] : []),
  ];
  return { heapMb, rssMb, faults };
}

function growth(what: string, mb: number, most: number): string {
  return `${what} grows by ${mb.toFixed(1)} MB in 100,000 requests, and may by ${most}`;
}

/** The line of least squares. */
function slopeOf(samples: readonly MemorySample[], of: 'heapMb' | 'rssMb'): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  const [x, y] = [mean(samples.map(({ requests }) => requests)), mean(samples.map((sample) => sample[of]))];
  const across = samples.reduce((sum, one) => sum + (one.requests - x) * (one[of] - y), 0);
  const along = samples.reduce((sum, { requests }) => sum + (requests - x) ** 2, 0);
  return along === 0 ? 0 : (across / along) * 100_000;
}
