/**
 * Encrypts fields before they are stored, with AES-256-GCM. The key's id is stored with the value,
 * so that keys can be rotated. A value is bound to the place where it is stored: moved elsewhere,
 * it does not open.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

export type SealingKey = {
  /** The first eight hex digits of the key's SHA-256. They name the key and do not reveal it. */
  readonly id: string;
  readonly bytes: Buffer;
};

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Whole groups of base64, and about a millisecond of work. */
const SLICE_BYTES = 3 * 65_536;

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

/** The same for megabytes of base64, in slices, between which the event loop serves other work. */
async function sealLarge(key: SealingKey, place: string, bytes: Buffer): Promise<string> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce);
  cipher.setAAD(Buffer.from(place));
  const parts = [`${key.id}:`];
  let rest: Buffer = nonce;
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const plain = bytes.toString('base64', at, Math.min(at + SLICE_BYTES, bytes.length));
    const sealed = Buffer.concat([rest, cipher.update(plain, 'latin1')]);
    const whole = sealed.length - (sealed.length % 3);
    parts.push(sealed.toString('base64', 0, whole));
    rest = sealed.subarray(whole);
    await setImmediate();
  }
  parts.push(Buffer.concat([rest, cipher.final(), cipher.getAuthTag()]).toString('base64'));
  return parts.join('');
}

/** The plain text. Undefined when another key sealed it, or the value was moved or altered. */
export function open(key: SealingKey, place: string, sealed: string): string | undefined {
  const [id, encoded] = sealed.split(':');
  if (id !== key.id || encoded === undefined) return undefined;
  return openBytes(key, place, Buffer.from(encoded, 'base64'))?.toString('utf8');
}

/**
 * Nonce, ciphertext and tag, for values that are too large to be text. The key's id is stored
 * beside them.
 */
function sealBytes(key: SealingKey, place: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce);
  cipher.setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** The plain bytes. Undefined in the same cases as `open`. */
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

/** Seals with the current key; opens values that the current or an old key sealed. */
export type Sealer = {
  /** The id of the key that seals. */
  readonly keyId: string;
  seal(place: string, plain: string): string;
  /** The base64 of megabytes, sealed in slices. */
  sealLarge(place: string, bytes: Buffer): Promise<string>;
  /** Undefined when none of the keys sealed it, or the value was moved or altered. */
  open(place: string, sealed: string): string | undefined;
};

export function createSealer(present: SealingKey, old: readonly SealingKey[] = []): Sealer {
  const keys = new Map([...old, present].map((key) => [key.id, key]));
  return {
    keyId: present.id,
    seal: (place, plain) => seal(present, place, plain),
    sealLarge: (place, bytes) => sealLarge(present, place, bytes),
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
