/**
 * Processes the requests of one connection one after the other, as other HTTP servers do. Node.js
 * would start all requests that a client has pipelined at once: thousands within one turn of the
 * event loop, and hundreds of slots for one connection. Clients that wait for each response, which
 * are nearly all, cost nothing.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection with this many waiting requests is not read. */
const WAITING_MAX = 500;
/** How often one connection with waiting requests is read further. */
const READ_EVERY_MS = 50;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** The requests of a connection that wait for the response before them. */
type Pipeline = { waiting: number; pausesSoon: boolean };

/**
 * A request waits until the response before it was sent. Meanwhile its connection is read in
 * pieces with pauses, because only by reading Node.js notices that the client has disconnected.
 * Requests that wait are never started then.
 */
export function answerInTurn(server: Server): void {
  const [start] = server.listeners('request') as Listener[];
  if (start === undefined) throw new Error('the server has no listener for requests');
  const pipelines = new Pipelines();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    // Node.js gives a response its socket when the response before it has been sent.
    if (response.socket !== null) start(request, response);
    else pipelines.startLater(request, response, start);
  });
}

class Pipelines {
  readonly #of = new Map<Socket, Pipeline>();
  #reading: NodeJS.Timeout | undefined;

  startLater(request: IncomingMessage, response: ServerResponse, start: Listener): void {
    const { socket } = request;
    const pipeline = this.#of.get(socket) ?? this.#add(socket);
    pipeline.waiting += 1;
    pauseSoon(socket, pipeline);
    response.once('socket', () => {
      if (socket.destroyed) return;
      pipeline.waiting -= 1;
      if (pipeline.waiting === 0) socket.resume();
      request.once('end', () => pauseSoon(socket, pipeline));
      start(request, response);
    });
  }

  #add(socket: Socket): Pipeline {
    const pipeline = { waiting: 0, pausesSoon: false };
    this.#of.set(socket, pipeline);
    this.#reading ??= setInterval(() => this.#readNext(), READ_EVERY_MS).unref();
    socket.once('close', () => {
      this.#of.delete(socket);
      if (this.#of.size > 0) return;
      clearInterval(this.#reading);
      this.#reading = undefined;
    });
    return pipeline;
  }

  /** Reads one more piece of the connection that has waited longest, if it may have more. */
  #readNext(): void {
    for (const [socket, pipeline] of this.#of) {
      if (pipeline.waiting === 0 || pipeline.waiting >= WAITING_MAX) continue;
      this.#of.delete(socket);
      this.#of.set(socket, pipeline);
      socket.resume();
      return;
    }
  }
}

/** Later, because Node.js resumes a connection after each request and for each body. */
function pauseSoon(socket: Socket, pipeline: Pipeline): void {
  if (pipeline.pausesSoon) return;
  pipeline.pausesSoon = true;
  setImmediate(() => {
    pipeline.pausesSoon = false;
    if (pipeline.waiting > 0) socket.pause();
  });
}
