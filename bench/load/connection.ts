/**
 * One keep-alive connection that speaks a minimum of HTTP/1.1 at the lowest cost, because the
 * generator shares the processors with the measured gateway. It reads answers with a content
 * length, which all of the gateway's have.
 */
import { connect, type Socket } from 'node:net';

/** A whole answer, head and body; undefined when the connection broke before it came. */
export type OnAnswer = (connection: Connection, answer: string | undefined) => void;

const READ_BYTES = 16_384;

export class Connection {
  /** When the current request was sent or was due, in milliseconds; for its owner. */
  startedAtMs = 0;
  readonly port: number;
  readonly #socket: Socket;
  readonly #onAnswer: OnAnswer;
  #partial = '';
  #waiting = false;

  private constructor(port: number, onAnswer: OnAnswer) {
    this.port = port;
    this.#onAnswer = onAnswer;
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer,
        callback: (length) => {
          this.#read(buffer.toString('latin1', 0, length));
          return true;
        },
      },
    });
  }

  /** Resolves when it is connected. */
  static open(port: number, onAnswer: OnAnswer): Promise<Connection> {
    const connection = new Connection(port, onAnswer);
    const socket = connection.#socket;
    return new Promise((resolve, reject) => {
      socket.once('connect', () => {
        socket.off('error', reject);
        socket.on('error', () => connection.#broken());
        socket.on('close', () => connection.#broken());
        resolve(connection);
      });
      socket.once('error', reject);
    });
  }

  get broken(): boolean {
    return this.#socket.destroyed;
  }

  send(request: string): void {
    this.#waiting = true;
    this.#socket.write(request, 'latin1');
  }

  close(): void {
    this.#waiting = false;
    this.#socket.destroy();
  }

  #read(text: string): void {
    // The server may announce that it closes an idle connection.
    if (!this.#waiting) {
      this.#socket.destroy();
      return;
    }
    const answer = this.#partial === '' ? text : this.#partial + text;
    if (isWhole(answer)) {
      this.#partial = '';
      this.#waiting = false;
      this.#onAnswer(this, answer);
    } else {
      this.#partial = answer;
    }
  }

  #broken(): void {
    this.#socket.destroy();
    if (!this.#waiting) return;
    this.#waiting = false;
    this.#onAnswer(this, undefined);
  }
}

function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  // Its first letter may be of either case.
  const at = answer.indexOf('ontent-length: ');
  const length = at < 0 || at > headEnd ? 0 : Number.parseInt(answer.slice(at + 15, at + 25), 10);
  return answer.length >= headEnd + 4 + length;
}
