/**
 * Answers requests that cannot be parsed: malformed HTTP, headers that are too long or too slow,
 * and expectations that cannot be met. Each listener answers with its own error body, written
 * directly to the socket.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The stable code of each refusal. */
type RawReason =
  | 'request_malformed'
  | 'method_not_allowed'
  | 'request_too_slow'
  | 'expectation_unsupported'
  | 'headers_too_large';

type Answer = {
  readonly status: number;
  readonly reason: RawReason;
  readonly phrase: string;
  readonly message: string;
  readonly allow?: string;
};

const malformed: Answer = {
  status: 400,
  reason: 'request_malformed',
  phrase: 'Bad Request',
  message: 'The request is not valid HTTP',
};

const tunnel: Answer = {
  status: 405,
  reason: 'method_not_allowed',
  phrase: 'Method Not Allowed',
  message: 'This server does not open tunnels',
  allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST',
};

const answers: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'headers_too_large',
    phrase: 'Request Header Fields Too Large',
    message: 'The request headers are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'request_too_slow',
    phrase: 'Request Timeout',
    message: 'The request did not arrive in time',
  },
};

/** How long the client of a refused request has to read the answer. */
const LINGER_MS = 2_000;

/** Builds the body of a listener's refusals. */
export type ErrorBodyOf = (status: number, message: string, reason: RawReason) => object;

export type RawRefusals = {
  /** Fastify's `clientErrorHandler`. */
  readonly answerClientError: (error: Error & { code?: string }, socket: Socket) => void;
  /**
   * Answers `CONNECT`, which requests a tunnel. Node has already detached the connection and would
   * close it without an answer.
   */
  readonly refuseTunnel: (request: IncomingMessage, socket: Duplex) => void;
  /** Answers an `Expect` header other than `100-continue`, which Node handles itself. */
  readonly refuseExpectation: (request: IncomingMessage, response: ServerResponse) => void;
};

export function createRawRefusals(errorBody: ErrorBodyOf): RawRefusals {
  return {
    answerClientError: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
        socket.destroy();
        return;
      }
      answer(socket, answers[error.code ?? ''] ?? malformed, errorBody);
    },
    refuseTunnel: (_request, socket) => {
      if (!(socket instanceof Socket) || !socket.writable || isAnswering(socket)) socket.destroy();
      else answer(socket, tunnel, errorBody);
    },
    refuseExpectation: (_request, response) => refuseExpectation(response, errorBody),
  };
}

/** The handlers that Fastify does not pass on to Node. */
export function refuseRaw(server: Server, { refuseExpectation, refuseTunnel }: RawRefusals): void {
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', refuseTunnel);
}

function answer(
  socket: Socket,
  { status, reason, phrase, message, allow }: Answer,
  errorBody: ErrorBodyOf,
): void {
  const body = JSON.stringify(errorBody(status, message, reason));
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nDate: ${new Date().toUTCString()}\r\n` +
      (allow === undefined ? '' : `Allow: ${allow}\r\n`) +
      `Cache-Control: no-store\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  // Closing with unread bytes resets the connection, and the answer would be lost. So the server
  // reads for a moment longer.
  socket.resume();
  socket.setTimeout(LINGER_MS, () => socket.destroy());
}

function refuseExpectation(response: ServerResponse, errorBody: ErrorBodyOf): void {
  const body = JSON.stringify(
    errorBody(417, 'The only expectation supported is 100-continue', 'expectation_unsupported'),
  );
  response
    .writeHead(417, {
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}

/**
 * Whether an earlier, complete request of this connection is still being served. Its client would
 * take any answer as the answer to that request, and a purchase in progress must not look refused.
 */
function isAnswering(socket: Socket): boolean {
  const response = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  return response !== undefined && response !== null && (response.headersSent || response.req.complete);
}
