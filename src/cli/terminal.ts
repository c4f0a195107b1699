/** Where a command is run from. A process is one. */
import type { Readable, Writable } from 'node:stream';

export type Terminal = {
  /** Somebody sits there, and can be asked. */
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
};
