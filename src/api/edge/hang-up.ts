/**
 * Notifies the work of a request that its caller has disconnected. The connection is watched, which
 * needs one listener for all its requests.
 */
import type { Socket } from 'node:net';
import { Bag } from '../../core/bag.ts';

/** One listener for each connection, however many requests it carries. */
const watched = new WeakMap<Socket, Bag<() => void>>();

/**
 * Calls back once when the connection closes, or at once when it is closed already. Returns a
 * function that ends the watch.
 */
export function onHangUp(socket: Socket, callback: () => void): () => void {
  if (socket.destroyed) {
    callback();
    return () => undefined;
  }
  let callbacks = watched.get(socket);
  if (callbacks === undefined) {
    const added = new Bag<() => void>();
    callbacks = added;
    watched.set(socket, added);
    socket.once('close', () => {
      for (const call of [...added]) call();
    });
  }
  const own = callbacks;
  own.add(callback);
  return () => own.delete(callback);
}
