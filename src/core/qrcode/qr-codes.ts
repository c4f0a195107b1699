/**
 * Draws QR codes as PNG in a separate thread and caches them, up to a limit.
 *
 * One code is drawn at a time, because drawing takes about a megabyte. The queue is bounded and
 * shared fairly among merchants.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Environment } from '../environment.ts';
import { GatewayError } from '../errors.ts';
import { FairGate, type Sharer } from '../fair-gate.ts';
import { limits } from '../limits.ts';
import { LowPriorityThread } from '../low-priority-thread.ts';

const REMEMBERED_MAX = 500;

export class QrCodes implements AsyncDisposable {
  readonly #drawn = new LRUCache<string, Promise<Buffer>>({ max: REMEMBERED_MAX });
  readonly #gate = new FairGate(limits.qrCodes);
  readonly #thread = new LowPriorityThread<string, Uint8Array<ArrayBuffer>>(
    new URL('./draw.worker.ts', import.meta.url),
  );

  /** Returns a PNG of `text`. Throws GatewayError `qr_codes_full`. */
  draw(sharer: Sharer<Environment>, text: string): Promise<Buffer> {
    // The keys are hashes: the cache must not hold texts that can be spent.
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.#drawn.get(key);
    if (known !== undefined) return known;
    const full = (): Error => new GatewayError({ code: 'qr_codes_full' });
    const drawn = this.#gate.run(sharer, {}, full, async () =>
      Buffer.from((await this.#thread.run(text)).buffer),
    );
    this.#drawn.set(key, drawn);
    drawn.catch(() => this.#drawn.delete(key));
    return drawn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }
}
