/**
 * The key of backups: one of the `age` format, so that the program `age` opens a backup without
 * Oja. What is encrypted to a key can be made by whoever knows its public half. So the manifest of
 * a backup is signed as well, with a secret that follows from the private half. The libraries are
 * loaded when they are needed: a gateway that starts needs none of them.
 */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { SealingKey } from '../kernel/sealing.ts';
import { BackupError } from './backup-error.ts';

export type BackupKey = {
  /** The private half: `AGE-SECRET-KEY-1…`. */
  readonly identity: string;
  /** The public half: `age1…`. */
  readonly recipient: string;
};

const identityForm = /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/;

/** By its form; its own checksum is looked at when it is used. */
export function isBackupKey(text: string): boolean {
  return identityForm.test(text.trim());
}

/** Throws BackupError for what is no such key. */
export async function openBackupKey(text: string): Promise<BackupKey> {
  const identity = text.trim();
  const { identityToRecipient } = await import('age-encryption');
  try {
    return { identity, recipient: await identityToRecipient(identity) };
  } catch {
    throw new BackupError(
      'backup_key_malformed',
      'OJA_BACKUP_KEY is not a key: a character of it was mistyped',
    );
  }
}

export async function newBackupKey(): Promise<BackupKey> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** For who has set none: one that follows from the encryption key, which a restore needs anyway. */
export async function keyFollowing(encryptionKey: SealingKey): Promise<BackupKey> {
  const { bech32 } = await import('@scure/base');
  const secret = new Uint8Array(hkdfSync('sha256', encryptionKey.bytes, '', 'oja backup key', 32));
  return await openBackupKey(bech32.encodeFromBytes('AGE-SECRET-KEY-', secret).toUpperCase());
}

export function signText(key: BackupKey, text: string): string {
  const secret = hkdfSync('sha256', key.identity, '', 'oja backup manifest', 32);
  return createHmac('sha256', Buffer.from(secret)).update(text).digest('hex');
}

export function isSignedBy(key: BackupKey, text: string, signature: string): boolean {
  const [right, given] = [signText(key, text), signature].map((one) =>
    createHash('sha256').update(one).digest(),
  );
  return right !== undefined && given !== undefined && timingSafeEqual(right, given);
}
