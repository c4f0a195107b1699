/**
 * Tokens of sessions and links, and recovery codes. Only SHA-256 hashes are stored, so that a
 * reader of the database cannot use them.
 */

import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import { replaceRecoveryCodes, useRecoveryCode } from './second-factor-store.ts';

const TOKEN_BYTES = 32;
/** The format of `newSecretToken`. */
const form = /^[A-Za-z0-9_-]{43}$/;

export function newSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function isSecretToken(text: string): boolean {
  return form.test(text);
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const COUNT = 10;
const GROUPS = 4;
/** 32 letters and digits that are hard to confuse. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUP_LENGTH = 4;

/** Creates a recovery code of 80 random bits, whose plain SHA-256 is safe to store. */
function newCode(): string {
  const group = (): string =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Hashes a code, ignoring case and separators. */
function hashOf(userId: string, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHash('sha256').update(`${userId}\n${plain}`).digest();
}

/** Creates ten recovery codes, which replace earlier ones and are shown once. */
export async function newRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashOf(userId, code)),
  );
  return codes;
}

export async function takeRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  return await useRecoveryCode(tx, userId, hashOf(userId, code));
}
