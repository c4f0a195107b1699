/**
 * The reason why the server does not start. The message is for the person who runs the program. The
 * `code` is for the program, which may add its own advice, such as the name of its setting for the
 * data folder.
 */
export type EmbeddedPostgresErrorCode =
  /** Another program runs a server on the data folder. Always a DataDirInUseError. */
  | 'data_dir_in_use'
  /** The data folder cannot be written. */
  | 'data_dir_not_writable'
  /** The data belongs to another user of the system. */
  | 'data_dir_not_owned'
  /** The data was created by another major version of PostgreSQL. */
  | 'data_dir_other_version'
  /** PostgreSQL is not installed for this platform, or does not run here. */
  | 'no_programs'
  /** The program runs as root, and there is no other user to run the server as. */
  | 'no_server_user'
  /** No folder is suitable for the server's socket. */
  | 'no_socket_folder'
  /** PostgreSQL ended. The message contains its reason. */
  | 'start_failed';

export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Another program uses the folder. Nothing is broken, and the message is complete, so there is no
 * stack.
 */
export class DataDirInUseError extends EmbeddedPostgresError {
  override readonly name = 'DataDirInUseError';
  readonly dataDir: string;
  /** The program's process id, where that program runs. */
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super('data_dir_in_use', `${dataDir} is already in use by another program (pid ${pid})`);
    this.dataDir = dataDir;
    this.pid = pid;
  }
}
