/** The words of commands that send a request over the merchants' API and show what came back. */
import { readFile } from 'node:fs/promises';
import type { Tried } from '../merchants/credential-answer.ts';
import { CommandError } from './command-error.ts';

export function triedText({ request, answer }: Tried): string {
  return [
    `${request.method} ${request.path}`,
    ...Object.entries(request.headers).map(([header, value]) => `${header}: ${value}`),
    '',
    request.body,
    '',
    `${answer.status}, after ${answer.took_ms} ms`,
    answer.body,
  ].join('\n');
}

/** Throws CommandError for a file that cannot be read. */
export async function readSecret(file: string): Promise<string> {
  return await readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: unknown) => {
      throw new CommandError('file_unreadable', `${file} cannot be read: ${(error as Error).message}`);
    },
  );
}
