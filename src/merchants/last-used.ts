/**
 * Records when each credential was last used: in memory at each use, and for all of them in the
 * database now and then. This is for people only. What a process had not written when it died is
 * lost.
 */
import type { Sql } from '../db/database.ts';
import { updateLastUsed } from './credential-store.ts';

export type LastUsed = {
  note(keyId: string, at: Date): void;
  /** Writes the uses since the last time. What cannot be written is written the next time. */
  write(): Promise<void>;
};

export function createLastUsed(sql: Sql): LastUsed {
  let uses = new Map<string, Date>();
  return {
    note: (keyId, at) => {
      uses.set(keyId, at);
    },
    write: async () => {
      if (uses.size === 0) return;
      const taken = uses;
      uses = new Map();
      try {
        await updateLastUsed(sql, taken);
      } catch (error) {
        // Later uses win over those that are put back.
        uses = new Map([...taken, ...uses]);
        throw error;
      }
    },
  };
}
