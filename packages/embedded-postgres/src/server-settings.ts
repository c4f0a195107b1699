/**
 * The default settings of the server: committed data is never lost, and its log can be shown.
 * Everything else has PostgreSQL's default. Settings are passed on the command line, so that no
 * file in the data folder overrides them.
 */
const base: Readonly<Record<string, string>> = {
  // The log contains events, never values of rows.
  log_min_messages: 'warning',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

/** For data that may be lost in a power failure: tests only. */
const volatile = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** Returns the server's command line, with `overrides` last. */
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

/**
 * PostgreSQL also reads settings from its environment, so the program's environment is not passed
 * on.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  // A Windows program does not start without the system's own variables.
  return process.platform === 'win32'
    ? { ...process.env, LC_ALL: 'C' }
    : { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
}
