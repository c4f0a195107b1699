/** Reads the body of an answer, up to a limit. */
import { UnexpectedAnswerError } from './errors.ts';

/** After decompression. The largest answers are catalogs, of some hundred kilobytes. */
const answerBytesMax = 5 * 1024 * 1024;

/** Rejects and disconnects if there are more than `answerBytesMax` bytes. */
export async function readBytes(response: Response): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, length);
    length += value.length;
    if (length > answerBytesMax) {
      // A failure to cancel is ignored.
      reader.cancel().catch(() => undefined);
      throw new UnexpectedAnswerError(`the answer is longer than ${answerBytesMax} bytes`, {
        status: response.status,
      });
    }
    chunks.push(value);
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Undefined if it is not a JSON object. */
export function readJson(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
