/**
 * Fields that are kept encrypted: AES-256-GCM, with the key's id stored beside so that keys can
 * rotate, and bound to the place where they are kept, so that a sealed value moved elsewhere does
 * not open.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export type SealingKey = {
  /** First eight hex digits of the key's SHA-256: names the key, gives nothing of it away. */
  readonly id: string;
  readonly bytes: Buffer;
};

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key from 64 hex digits or base64 of 32 bytes; undefined for anything else. */
export function parseSealingKey(text: string): SealingKey | undefined {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES ? sealingKey(bytes) : undefined;
}

export function newSealingKey(): SealingKey {
  return sealingKey(randomBytes(KEY_BYTES));
}

/** `<key id>:<base64 of nonce, ciphertext, tag>`. `place` is table, row and field. */
export function seal(key: SealingKey, place: string, plain: string): string {
  return `${key.id}:${sealBytes(key, place, Buffer.from(plain, 'utf8')).toString('base64')}`;
}

/**
 * The plain text, or undefined when another key sealed it, it was kept elsewhere, or it was
 * altered.
 */
export function open(key: SealingKey, place: string, sealed: string): string | undefined {
  const [id, encoded] = sealed.split(':');
  if (id !== key.id || encoded === undefined) return undefined;
  return openBytes(key, place, Buffer.from(encoded, 'base64'))?.toString('utf8');
}

/** Nonce, ciphertext and tag, for what is too large to be text; the key's id is kept beside it. */
function sealBytes(key: SealingKey, place: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce);
  cipher.setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** The plain bytes, or undefined as `open` has it. */
function openBytes(key: SealingKey, place: string, bytes: Buffer): Buffer | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function sealingKey(bytes: Buffer): SealingKey {
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** Seals under the present key; opens what that key or one of the old ones sealed. */
export type Sealer = {
  /** What is sealed now names this key. */
  readonly keyId: string;
  seal(place: string, plain: string): string;
  /** Undefined when none of the keys sealed it, it was kept elsewhere, or it was altered. */
  open(place: string, sealed: string): string | undefined;
};

export function createSealer(present: SealingKey, old: readonly SealingKey[] = []): Sealer {
  const keys = new Map([...old, present].map((key) => [key.id, key]));
  return {
    keyId: present.id,
    seal: (place, plain) => seal(present, place, plain),
    open: (place, sealed) => {
      const key = keys.get(sealedUnder(sealed));
      return key && open(key, place, sealed);
    },
  };
}

/** The id of the key that a sealed value names. */
function sealedUnder(sealed: string): string {
  return sealed.slice(0, sealed.indexOf(':'));
}
