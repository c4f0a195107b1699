/** Writes the demo's e-mails to files that a mail program opens. No e-mail leaves the machine. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Messenger } from '../messenger.ts';
import { compileMail } from './smtp.ts';

/** The files hold card numbers, so only their owner may read them. */
const OWNER_ONLY = 0o600;

export function createOutbox(folder: string, from: string): Messenger {
  return {
    name: 'outbox',
    channels: new Set(['email'] as const),
    send: async (message) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const path = join(folder, `${message.id}.eml`);
        await writeFile(`${path}.new`, await compileMail(message, from), { mode: OWNER_ONLY });
        await rename(`${path}.new`, path);
        return {
          kind: 'sent',
          code: 'written',
          note: 'written to the outbox',
          messageId: `${message.id}.eml`,
        };
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'error';
        return { kind: 'not_sent', code, note: 'cannot write to the outbox' };
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
