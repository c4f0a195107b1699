/**
 * The health of this process for load balancers, supervisors, monitoring and people.
 *
 * Guarantees: an answer within about a second, even if the database does not respond; one check at
 * a time and at most one per second, for any number of callers.
 */

import type { Clock } from '../../core/clock.ts';
import { answerSoon } from '../../db/answer-soon.ts';
import type { Finding, HealthCheck } from './list-checks.ts';
import type { DatabaseSeen } from './read-database.ts';

export type HealthReport = {
  readonly ok: boolean;
  /** By name: `ok`, `unknown`, `down`, or `down: ` with the reason. */
  readonly checks: Readonly<Record<string, string>>;
};

export type Health = {
  /** Whether the gateway can sell. */
  readonly health: HealthReport;
  /** Whether this process should get traffic. */
  readonly readiness: HealthReport;
};

/** The sources of health after the start of the process. */
export type HealthSources = {
  readonly checks: readonly HealthCheck[];
  readonly readDatabase: () => Promise<DatabaseSeen>;
};

/** A slower database counts as unavailable. */
const PATIENCE_MS = 900;
const FRESH_MS = 1_000;

const starting: HealthReport = { ok: false, checks: { process: 'down: it is starting' } };

export class GatewayHealth {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #sources: HealthSources | undefined;
  #isStopping = false;
  #looking: Promise<DatabaseSeen> | undefined;
  #seen: { readonly database: DatabaseSeen | undefined; readonly atMs: number } | undefined;

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Reports from now on that the process is stopping. */
  stop(): void {
    this.#isStopping = true;
  }

  /** The process has started. */
  watch(sources: HealthSources): void {
    this.#sources = sources;
  }

  async report(): Promise<Health> {
    const sources = this.#sources;
    if (sources === undefined) return { health: starting, readiness: starting };
    const database = await this.#database(sources);
    const findings = sources.checks.map((check) => ({ check, finding: check.look(database) }));
    const of = (some: typeof findings): HealthReport => ({
      ok: some.every(({ finding }) => finding.state !== 'down'),
      checks: Object.fromEntries(some.map(({ check, finding }) => [check.name, textOf(finding)])),
    });
    return {
      health: of(findings),
      readiness: of(findings.filter(({ check }) => check.isOfReadiness === true)),
    };
  }

  /** The state within the last second, or now; undefined if the database does not answer. */
  async #database({ readDatabase }: HealthSources): Promise<DatabaseSeen | undefined> {
    const seen = this.#seen;
    if (seen !== undefined && this.#clock.elapsedMs() - seen.atMs < FRESH_MS) return seen.database;
    // A check that hangs is not started a second time: callers wait for the same one.
    this.#looking ??= readDatabase().finally(() => {
      this.#looking = undefined;
    });
    const database = await answerSoon(this.#looking, PATIENCE_MS).catch(() => undefined);
    this.#seen = { database, atMs: this.#clock.elapsedMs() };
    return database;
  }
}

function textOf(finding: Finding): string {
  if (finding.state === 'degraded') return finding.why;
  if (finding.state !== 'down' || finding.why === undefined) return finding.state;
  return `down: ${finding.why}`;
}
