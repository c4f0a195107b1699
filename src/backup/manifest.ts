/**
 * The manifest of a backup: what is in it, of which database and moment, and what is needed to
 * restore it. In clear, so that backups can be listed without a key; no value of the database is in
 * it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { orNull, textOrNull } from '../kernel/or-null.ts';
import { writeDurably } from '../kernel/write-durably.ts';
import { BackupError, hasCode, reasonOf } from './backup-error.ts';
import { type BackupKey, isSignedBy, signText } from './backup-key.ts';

export const manifestName = 'manifest.json';
const format = 1;

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Lsn = Type.String({ pattern: '^[0-9A-F]+/[0-9A-F]+$' });
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' });
const Size = Type.Integer({ minimum: 0 });
/** Below the folder that is written, and nowhere else. */
const RelativePath = Type.String({ pattern: '^(?!/)(?!(?:.*/)?\\.\\.(?:/|$))[A-Za-z0-9_./-]+$' });

export const StoredFile = Type.Object({ path: RelativePath, size: Size, sha256: Digest });
export type StoredFile = Static<typeof StoredFile>;

const Body = Type.Object({
  format: Type.Literal(format),
  id: Type.String({ pattern: '^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{6}$' }),
  /** The version of Oja that took it. */
  oja: Type.String(),
  /** The newest migration of the database. */
  schema: Type.String(),
  postgres: Type.String(),
  system_identifier: Type.String(),
  timeline: Type.Integer({ minimum: 1 }),
  started_at: Time,
  /** By the database's clock: all that was committed before is in the backup. */
  taken_at: Time,
  start_lsn: Lsn,
  stop_lsn: Lsn,
  /** `age` and the public half of the key; null: not encrypted. */
  recipient: textOrNull,
  /** The key that sealed what is kept sealed in the database. It is not in the backup. */
  encryption_key_id: textOrNull,
  /** The folder of `OJA_WAL_ARCHIVE_DIR` with what was changed after it; null: none is kept. */
  wal_archive: orNull(Type.String({ pattern: '^[0-9a-f-]{36}$' })),
  /** The one file of the backup: a tar archive, compressed by zstd, and encrypted. */
  archive: StoredFile,
  /** What is in it. */
  files: Type.Array(StoredFile),
});
export type ManifestBody = Static<typeof Body>;

const Manifest = Type.Object({
  ...Body.properties,
  /** Of all the rest, by the backup's key; null: not encrypted. */
  signature: orNull(Digest),
});
export type Manifest = Static<typeof Manifest>;

const compiled = Compile(Manifest);

export async function writeManifest(
  folder: string,
  body: ManifestBody,
  key: BackupKey | undefined,
): Promise<Manifest> {
  const signature = key === undefined ? null : signText(key, JSON.stringify(body));
  const manifest: Manifest = { ...body, signature };
  await writeDurably(join(folder, manifestName), `${JSON.stringify(manifest, undefined, 1)}\n`);
  return manifest;
}

/** Undefined where the folder has none, and so is no backup. Throws BackupError. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, manifestName);
  let read: unknown;
  try {
    read = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new BackupError('backup_unreadable', `${path} cannot be read: ${reasonOf(error)}`);
  }
  if (compiled.Check(read)) return read;
  const version = (read as { readonly format?: unknown } | null)?.format;
  if (typeof version === 'number' && version > format) {
    throw new BackupError('backup_newer', `${path} was written by a newer version of Oja`);
  }
  throw new BackupError('backup_damaged', `${path} is damaged: it is not the manifest of a backup`);
}

/** Throws BackupError for a manifest that the key's owner has not written. */
export function requireSigned(manifest: Manifest, key: BackupKey): void {
  const { signature, ...body } = manifest;
  if (manifest.recipient !== key.recipient) {
    throw new BackupError(
      'backup_key_other',
      `backup ${manifest.id} was encrypted to ${manifest.recipient}; the key here is that of ${key.recipient}: set OJA_BACKUP_KEY, or the encryption key that it followed from`,
    );
  }
  if (signature === null || !isSignedBy(key, JSON.stringify(body), signature)) {
    throw new BackupError(
      'manifest_changed',
      `the manifest of backup ${manifest.id} was changed: its signature is wrong`,
    );
  }
}
