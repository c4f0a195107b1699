/**
 * The default settings of the server: no committed data may be lost, and its log can be shown. The
 * rest are PostgreSQL's defaults. They are given on the command line, so that no file in the data
 * folder overrides them.
 */
const base: Readonly<Record<string, string>> = {
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

/** PostgreSQL reads settings from its environment too, so it gets none of the program's. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  // A Windows program does not start without the system's own variables.
  return process.platform === 'win32'
    ? { ...process.env, LC_ALL: 'C' }
    : { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
}
