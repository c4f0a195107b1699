/**
 * Sends requests as raw bytes, so that no client library repairs or refuses them: one connection,
 * one request at a time, opened again when it was closed.
 */
import { connect, type Socket } from 'node:net';

export type RawAnswer = {
  readonly status: number;
  /** By their names in lower case; repeated ones are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** Why there was no answer. */
export class NoAnswer extends Error {}

const ANSWER_MS = 60_000;

export class RawClient implements Disposable {
  readonly #url: URL;
  #socket: Socket | undefined;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Rejects with NoAnswer if the connection ends first. */
  async send(bytes: Buffer, method: string): Promise<RawAnswer> {
    const socket = this.#open();
    const answer = await new Promise<RawAnswer>((resolve, reject) => {
      let heard: Buffer = Buffer.alloc(0);
      const timer = setTimeout(() => end(new NoAnswer(`nothing within ${ANSWER_MS} ms`)), ANSWER_MS);
      const hear = (chunk: Buffer): void => {
        heard = heard.length === 0 ? chunk : Buffer.concat([heard, chunk]);
        take(false);
      };
      const closed = (): void => take(true);
      const take = (isOver: boolean): void => {
        const found = readWhole(heard, method, isOver);
        if (found !== undefined) end(found);
        else if (isOver) end(new NoAnswer(`closed after ${heard.length} bytes`));
      };
      const end = (result: RawAnswer | NoAnswer): void => {
        clearTimeout(timer);
        socket.off('data', hear).off('close', closed);
        if (result instanceof NoAnswer) reject(result);
        else resolve(result);
      };
      socket.on('data', hear).once('close', closed);
      socket.write(bytes);
    }).catch((error: unknown) => {
      this[Symbol.dispose]();
      throw error;
    });
    if (answer.headers.connection === 'close' || isStream(answer.headers)) this[Symbol.dispose]();
    return answer;
  }

  #open(): Socket {
    if (this.#socket === undefined || this.#socket.destroyed || this.#socket.readyState !== 'open') {
      this[Symbol.dispose]();
      this.#socket = connect({ port: Number(this.#url.port), host: this.#url.hostname, noDelay: true });
      // An error of the connection shows in the missing answer.
      this.#socket.on('error', () => undefined);
    }
    return this.#socket as Socket;
  }

  /** Further data belongs to a request that is over. */
  [Symbol.dispose](): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

function isStream(headers: RawAnswer['headers']): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

function readWhole(heard: Buffer, method: string, isOver: boolean): RawAnswer | NoAnswer | undefined {
  try {
    return readAnswer(heard, method, isOver);
  } catch (error) {
    if (error instanceof NoAnswer) return error;
    throw error;
  }
}

/** Undefined while it is incomplete. */
function readAnswer(heard: Buffer, method: string, isOver: boolean): RawAnswer | undefined {
  const headEnd = heard.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [first = '', ...lines] = heard.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  const rest = heard.subarray(headEnd + 4);
  if (status >= 100 && status < 200) return readAnswer(rest, method, isOver);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    const value = line.slice(at + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const body = readBody(rest, headers, isOver || method === 'HEAD' || status === 204 || status === 304);
  return body === undefined ? undefined : { status, headers, body };
}

function readBody(rest: Buffer, headers: RawAnswer['headers'], isOver: boolean): Buffer | undefined {
  if (isStream(headers)) return Buffer.alloc(0);
  if (headers['transfer-encoding'] === 'chunked') return isOver ? rest : readChunks(rest);
  const length = headers['content-length'];
  if (isOver) return rest;
  if (length === undefined) return undefined;
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
}

function readChunks(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new NoAnswer(`a chunk of no size: ${rest.toString('latin1', at, at + 50)}`);
    const from = lineEnd + 2;
    if (rest.length < from + size + 2) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(from, from + size));
    at = from + size + 2;
  }
}
