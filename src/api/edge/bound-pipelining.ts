/**
 * Limits the requests of one connection that are processed at once. HTTP/1.1 answers them in order,
 * so a client that pipelines more gains nothing, and could use hundreds of slots over one
 * connection. Further requests wait until an earlier one is answered, and the connection is not
 * read meanwhile.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const PIPELINED_MAX = 10;

type Pipeline = { working: number; readonly waiting: (() => void)[] };

const pipelines = new WeakMap<Socket, Pipeline>();

/**
 * Calls `go` when the request may start, usually at once. `go` returns a function that is called
 * when the response has ended or the client has disconnected.
 */
export function takePipelineTurn(
  { socket }: Pick<IncomingMessage, 'socket'>,
  response: ServerResponse,
  go: () => (() => void) | undefined,
): void {
  let pipeline = pipelines.get(socket);
  if (pipeline === undefined) {
    pipeline = { working: 0, waiting: [] };
    pipelines.set(socket, pipeline);
  }
  const own = pipeline;
  const begin = (): void => {
    own.working += 1;
    let end: (() => void) | undefined;
    // A response closes once. `once` would create three more objects per request.
    response.on('close', () => {
      end?.();
      own.working -= 1;
      // Requests of a caller that has disconnected are not started.
      if (socket.destroyed) return;
      const next = own.waiting.shift();
      if (next === undefined) return;
      if (own.waiting.length === 0) socket.resume();
      next();
    });
    end = go();
  };
  if (own.working < PIPELINED_MAX) {
    begin();
    return;
  }
  own.waiting.push(begin);
  socket.pause();
}
