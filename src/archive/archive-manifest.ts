/**
 * The manifest of an archive: what is in its file, and of which database. In clear, so that
 * archives can be listed without a key; no value of the database is in it but times and counts.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BackupError, hasCode, reasonOf } from '../backup/backup-error.ts';
import { type BackupKey, isSignedBy, signText } from '../backup/backup-key.ts';
import { manifestName, StoredFile } from '../backup/manifest.ts';
import { writeDurably } from '../kernel/write-durably.ts';

const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' });
const Count = Type.Integer({ minimum: 0 });

const Body = Type.Object({
  archive_format: Type.Literal(1),
  id: Type.String({ pattern: '^archive-[0-9]{8}T[0-9]{6}Z-[0-9a-f]{6}$' }),
  /** The version of Oja that wrote it. */
  oja: Type.String(),
  written_at: Time,
  /** Of purchases that were accepted before. */
  before: Time,
  /** When the first and the last of its attempts were made. */
  from_at: Time,
  to_at: Time,
  vends: Count,
  attempts: Count,
  answers: Count,
  /** The public half of the key that it is encrypted to. */
  recipient: Type.String(),
  /** The one file: a tar archive, compressed by zstd, and encrypted. */
  archive: StoredFile,
  /** The blocks in it, in their order. */
  blocks: Type.Array(StoredFile),
});
export type ArchiveBody = Static<typeof Body>;

const Manifest = Type.Object({
  ...Body.properties,
  /** Of all the rest, by the backup's key. */
  signature: Type.String(),
});
export type ArchiveManifest = Static<typeof Manifest>;

const compiled = Compile(Manifest);

export async function writeArchiveManifest(
  folder: string,
  body: ArchiveBody,
  key: BackupKey,
): Promise<ArchiveManifest> {
  const manifest = { ...body, signature: signText(key, JSON.stringify(body)) };
  await writeDurably(join(folder, manifestName), `${JSON.stringify(manifest, undefined, 1)}\n`);
  return manifest;
}

/** Throws BackupError where the folder is no archive, or its manifest is damaged. */
export async function readArchiveManifest(folder: string): Promise<ArchiveManifest> {
  const path = join(folder, manifestName);
  let read: unknown;
  try {
    read = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) {
      throw new BackupError('no_archive', `${folder} is no archive: it has no ${manifestName}`);
    }
    throw new BackupError('archive_unreadable', `${path} cannot be read: ${reasonOf(error)}`);
  }
  if (compiled.Check(read)) return read;
  throw new BackupError('archive_damaged', `${path} is damaged, or not the manifest of an archive`);
}

/** The key that the archive was written with. Throws BackupError. */
export function requireArchiveKey(manifest: ArchiveManifest, keys: readonly BackupKey[]): BackupKey {
  const { signature, ...body } = manifest;
  const key = keys.find(({ recipient }) => recipient === manifest.recipient);
  if (key === undefined) {
    throw new BackupError(
      'backup_key_missing',
      `${manifest.id} is encrypted to ${manifest.recipient}, and that key is not here: set OJA_BACKUP_KEY, or the encryption key that it followed from`,
    );
  }
  if (!isSignedBy(key, JSON.stringify(body), signature)) {
    throw new BackupError(
      'manifest_changed',
      `the manifest of ${manifest.id} was changed: its signature is wrong`,
    );
  }
  return key;
}
