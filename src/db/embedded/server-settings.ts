/**
 * How the embedded server is set up: nothing acknowledged may be lost, on a small machine that is shared with the
 * gateway. Given on the command line, so that this file is the one place that decides.
 */
const base: Readonly<Record<string, string>> = {
  max_connections: '60',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  // Rare, evenly spread checkpoints: each makes the next write of every page a full one.
  wal_level: 'replica',
  wal_buffers: '16MB',
  max_wal_size: '4GB',
  min_wal_size: '512MB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  // Wallet counters are updated thousands of times a second: sweep often, and a little at a time.
  autovacuum_naptime: '10s',
  // Every statement is short; compiling or sharing one among processes costs more than it gives.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // The log names events, never the values in a row.
  log_min_messages: 'warning',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

/** For data that may be lost with the power: tests only. */
const volatile = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** The server's command line, `overrides` last. */
export function serverArguments(
  isDurable: boolean,
  ...overrides: readonly Readonly<Record<string, string>>[]
): string[] {
  const settings = Object.assign({}, base, isDurable ? durable : volatile, ...overrides) as Record<
    string,
    string
  >;
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** PostgreSQL reads settings from its environment too, so it gets none of Oja's. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return process.platform === 'win32'
    ? { ...process.env, LC_ALL: 'C' }
    : { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
}
