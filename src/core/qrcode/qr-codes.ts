/**
 * Draws QR codes as PNG in a separate thread and caches them, up to a limit. The first request
 * starts the thread. When the thread dies, the waiting requests fail, and the next one starts
 * another thread.
 *
 * One code is drawn at a time, because drawing takes about a megabyte. The queue is bounded and
 * shared fairly among merchants.
 */
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Environment } from '../environment.ts';
import { GatewayError } from '../errors.ts';
import { FairGate, type Sharer } from '../fair-gate.ts';
import { limits } from '../limits.ts';

export type DrawRequest = { readonly id: number; readonly text: string };
export type DrawAnswer = { readonly id: number; readonly png: Uint8Array<ArrayBuffer> | undefined };

type Waiting = { readonly resolve: (png: Buffer) => void; readonly reject: (error: Error) => void };

const REMEMBERED_MAX = 500;

export class QrCodes implements AsyncDisposable {
  readonly #drawn = new LRUCache<string, Promise<Buffer>>({ max: REMEMBERED_MAX });
  readonly #gate = new FairGate(limits.qrCodes);
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #count = 0;

  /** Returns a PNG of `text`. Throws GatewayError `qr_codes_full`. */
  draw(sharer: Sharer<Environment>, text: string): Promise<Buffer> {
    // The keys are hashes: the cache must not hold texts that can be spent.
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.#drawn.get(key);
    if (known !== undefined) return known;
    const full = (): Error => new GatewayError({ code: 'qr_codes_full' });
    const drawn = this.#gate.run(sharer, {}, full, () => this.#drawNow(text));
    this.#drawn.set(key, drawn);
    drawn.catch(() => this.#drawn.delete(key));
    return drawn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }

  #drawNow(text: string): Promise<Buffer> {
    this.#count += 1;
    const request: DrawRequest = { id: this.#count, text };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage(request);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./draw.worker.ts', import.meta.url));
    // It must not keep an otherwise idle process alive.
    worker.unref();
    worker.on('message', ({ id, png }: DrawAnswer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (png === undefined) waiting?.reject(new Error('a QR code could not be drawn'));
      else waiting?.resolve(Buffer.from(png.buffer));
    });
    const gone = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const waiting of this.#waiting.values())
        waiting.reject(new Error('the thread that draws QR codes died'));
      this.#waiting.clear();
    };
    worker.on('error', gone);
    worker.on('exit', gone);
    return worker;
  }
}
