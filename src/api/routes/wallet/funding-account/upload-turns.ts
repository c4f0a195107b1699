/**
 * Limits how many files are uploaded at once, and how slow an upload may be. An upload keeps its
 * slot until its request ends, because it may hold a file in memory, and for a moment longer, so
 * that uploads do not keep the process busy. Each merchant has a share of the slots, and test
 * credentials have separate slots.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairGate } from '../../../../core/fair-gate.ts';
import { limits } from '../../../../core/limits.ts';
import { sharerOf } from '../../../../merchants/merchant.ts';
import { SlowDrain } from '../../../edge/slow-drain.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { Refusal, refuseForNow } from '../../../plumbing/refusal.ts';

export type UploadTurns = {
  /** Waits for a slot; until then the body is not read. Throws a Refusal, 503. */
  take(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /**
   * Returns what `read` returns. Throws a Refusal, 408, and closes the connection when the body
   * stops arriving.
   */
  read<T>(request: FastifyRequest, reply: FastifyReply, read: () => Promise<T>): Promise<T>;
};

export function createUploadTurns(): UploadTurns {
  const gate = new FairGate(limits.uploads);
  const refused = new SlowDrain();
  return {
    take: async (request, reply) => {
      const place = await gate.enter(sharerOf(principalOf(request)), { withinMs: limits.uploadWaitMs });
      if (place === undefined) {
        await refused.drain(request.raw);
        if (!request.raw.complete) reply.header('connection', 'close');
        throw refuseForNow('uploads_full', 'Too many uploads: send the request again');
      }
      const leave = (): void => void setTimeout(place, limits.uploadRestMs).unref();
      if (reply.raw.closed) leave();
      else reply.raw.once('close', leave);
    },
    read: async (request, reply, read) => {
      const { promise: stalled, reject } = Promise.withResolvers<never>();
      const end = watchStall(request, () => {
        reply.header('connection', 'close');
        reject(stalledUpload());
      });
      const form = read();
      // The upload may break off later, when the connection closes.
      form.catch(() => undefined);
      try {
        return await Promise.race([form, stalled]);
      } finally {
        end();
      }
    },
  };
}

export function stalledUpload(): Refusal {
  return new Refusal(408, 'upload_stalled', 'The upload stopped arriving: send the request again');
}

/**
 * Checks every second. After a stall the process checks once, which does not suffice to call an
 * upload slow.
 */
function watchStall(request: FastifyRequest, onStall: () => void): () => void {
  const { socket } = request.raw;
  let seen = socket.bytesRead;
  let slowS = 0;
  const timer = setInterval(() => {
    slowS = socket.bytesRead - seen < limits.uploadBytesPerSMin ? slowS + 1 : 0;
    seen = socket.bytesRead;
    if (slowS >= limits.uploadStallS && !request.raw.complete) onStall();
  }, 1_000);
  return () => clearInterval(timer);
}
