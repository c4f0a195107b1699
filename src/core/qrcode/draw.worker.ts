/**
 * The thread that draws QR codes. Each takes about 20 ms, for which the gateway's event loop must
 * not stop.
 */
import { parentPort } from 'node:worker_threads';
import { toBuffer } from 'qrcode';
import type { DrawAnswer, DrawRequest } from './qr-codes.ts';

parentPort?.on('message', ({ id, text }: DrawRequest) => {
  toBuffer(text, { type: 'png', errorCorrectionLevel: 'M', margin: 4, width: 360 }).then(
    (png) => {
      // What is sent takes all the memory along that it is a part of.
      const own = new Uint8Array(png);
      answer({ id, png: own }, [own.buffer]);
    },
    () => answer({ id, png: undefined }),
  );
});

function answer(drawn: DrawAnswer, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(drawn, transferred);
}
