/** The thread that hashes passwords: each takes about 35 ms, and guesses arrive in floods. */
import { argon2Sync } from 'node:crypto';
import { serveCalls } from '../../core/low-priority-thread.ts';

export type DeriveRequest = {
  readonly message: Uint8Array;
  readonly nonce: Uint8Array;
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly tagLength: number;
};

serveCalls((request: DeriveRequest): Uint8Array => new Uint8Array(argon2Sync('argon2id', request)));
