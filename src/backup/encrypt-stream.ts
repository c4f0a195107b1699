/**
 * Encrypts and decrypts streams in the `age` format: in chunks, each of which proves itself. The
 * library is loaded when it is needed: a gateway that starts needs none of it.
 */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { BackupError, reasonOf } from './backup-error.ts';
import type { BackupKey } from './backup-key.ts';

export async function encrypt(plain: Readable, recipient: string): Promise<Readable> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return Readable.fromWeb((await encrypter.encrypt(toWeb(plain))) as ReadableStream);
}

/** Throws BackupError where the key is not the one that it was encrypted to. */
export async function decrypt(encrypted: Readable, key: BackupKey): Promise<Readable> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addIdentity(key.identity);
  try {
    return Readable.fromWeb((await decrypter.decrypt(toWeb(encrypted))) as ReadableStream);
  } catch (error) {
    throw new BackupError('backup_undecryptable', `the backup cannot be decrypted: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** The library and Node name the same stream by two types. */
function toWeb(stream: Readable): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;
}
