/** Metrics whose values are read when they are asked for. */
import { Counter, Gauge, type Registry } from 'prom-client';

type SetValue = (labels: Record<string, string>, value: number) => void;

export function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  read: (set: SetValue) => void | Promise<void>,
): void {
  const made: Gauge = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      made.reset();
      // Where a source cannot be read, its gauge stays empty and the other metrics are still there.
      await Promise.resolve(read((labels, value) => made.set(labels, value))).catch(() => undefined);
    },
  });
}

/** A counter of what is counted elsewhere. */
export function total(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  read: (set: SetValue) => void | Promise<void>,
): void {
  const made: Counter = new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      made.reset();
      await Promise.resolve(read((labels, value) => made.inc(labels, value))).catch(() => undefined);
    },
  });
}
