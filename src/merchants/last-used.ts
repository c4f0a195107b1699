/**
 * Notes when each credential was last used: in memory at each use, in the database once a minute for all that were used.
 * It is for people; should a process die, a minute of it is lost.
 */
import type { Sql } from '../db/database.ts';
import { updateLastUsed } from './credential-store.ts';

export type LastUsed = {
  note(keyId: string, at: Date): void;
  /** Notes what is left. */
  [Symbol.asyncDispose](): Promise<void>;
};

const EVERY_MS = 60_000;

export function createLastUsed(
  sql: Sql,
  options: { readonly lastUsedEveryMs?: number; readonly onBackgroundError?: (error: unknown) => void },
): LastUsed {
  let uses = new Map<string, Date>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (uses.size === 0) return;
    const taken = uses;
    uses = new Map();
    try {
      await updateLastUsed(sql, taken);
    } catch (error) {
      // Later uses win over those that are put back.
      uses = new Map([...taken, ...uses]);
      options.onBackgroundError?.(error);
    }
  };
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, options.lastUsedEveryMs ?? EVERY_MS);
  timer.unref();

  return {
    note: (keyId, at) => {
      uses.set(keyId, at);
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await writing.then(write);
    },
  };
}
