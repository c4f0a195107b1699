/**
 * Metrics whose values are read when they are asked for. Where a source cannot be read, its metric
 * stays empty and the others are still there.
 */
import { Counter, Gauge, type Registry } from 'prom-client';

type SetValue = (labels: Record<string, string>, value: number) => void;
type Read = (set: SetValue) => void | Promise<void>;

export function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  read: Read,
): void {
  const made: Gauge = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect: () => collect(made, read, (labels, value) => made.set(labels, value)),
  });
}

/** A counter of what is counted elsewhere. */
export function total(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  read: Read,
): void {
  const made: Counter = new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect: () => collect(made, read, (labels, value) => made.inc(labels, value)),
  });
}

async function collect(made: { reset(): void }, read: Read, set: SetValue): Promise<void> {
  made.reset();
  await Promise.resolve(read(set)).catch(() => undefined);
}
