/**
 * How many files are taken at once, and how slowly one may come. An upload has its place until its
 * request ends, for until then it may hold a file in memory, and for a moment longer: to read files
 * on end would keep the process busy. Each merchant has a share of the places; test credentials
 * have some of their own.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairGate } from '../../../../core/fair-gate.ts';
import { limits } from '../../../../core/limits.ts';
import { sharerOf } from '../../../../merchants/merchant.ts';
import { SlowDrain } from '../../../edge/slow-drain.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { Refusal, refuseForNow } from '../../../plumbing/refusal.ts';

export type UploadTurns = {
  /** Waits for a place. Before that nothing of the body is read. Throws a Refusal, 503. */
  take(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** What `read` gives. Throws a Refusal, 408, and hangs up, when the body stops arriving. */
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
      // It breaks off later, when the connection closes.
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
 * Looks every second. A process that was held up looks once afterwards, which is not enough to call
 * an upload slow.
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
