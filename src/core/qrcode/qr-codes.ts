/**
 * QR codes as PNG, drawn in a thread of their own and cached, up to a limit. The first code that is
 * wanted starts the thread. When the thread dies, the codes that wait for it fail, and the next one
 * starts another thread.
 *
 * One code is drawn at a time, for each takes about a megabyte meanwhile. The queue before it is
 * bounded and shared among merchants.
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

  /** A PNG of `text`. Throws GatewayError `qr_codes_full`. */
  draw(sharer: Sharer<Environment>, text: string): Promise<Buffer> {
    // The cache must not hold what can be spent: its keys are hashes of the texts.
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
    // It must not keep a process alive that has nothing else to do.
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
