/**
 * Metrics whose values are read at collection. If a source cannot be read, its metric stays empty,
 * and the others are still present.
 *
 * A metric of the whole installation is the same in every process, and must not be added up over
 * them. Its help ends with `ofInstallation`. A test checks the rules and the dashboard for it.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import { answerSoon } from '../db/answer-soon.ts';

/** How long a collection waits for the database. */
const PATIENCE_MS = 1_000;

export const ofInstallation = '(of the installation: the same in every process)';

type SetValue = (labels: Record<string, string>, value: number) => void;
export type Read = (set: SetValue) => void | Promise<void>;

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

/** A counter whose value is counted elsewhere. */
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

/** Shares one read among metrics, which are all collected at the same time. */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return async () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return await reading;
  };
}

async function collect(made: { reset(): void }, read: Read, set: SetValue): Promise<void> {
  made.reset();
  await answerSoon(Promise.resolve(read(set)), PATIENCE_MS).catch(() => undefined);
}
