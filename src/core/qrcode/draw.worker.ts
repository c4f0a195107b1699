/**
 * The thread that draws QR codes: each takes about 20 ms, too long for the gateway's event loop.
 */
import { parentPort } from 'node:worker_threads';
import { toBuffer } from 'qrcode';
import type { DrawAnswer, DrawRequest } from './qr-codes.ts';

parentPort?.on('message', ({ id, text }: DrawRequest) => {
  toBuffer(text, { type: 'png', errorCorrectionLevel: 'M', margin: 4, width: 360 }).then(
    (png) => {
      // A transfer takes the whole underlying buffer along.
      const own = new Uint8Array(png);
      answer({ id, png: own }, [own.buffer]);
    },
    () => answer({ id, png: undefined }),
  );
});

function answer(drawn: DrawAnswer, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(drawn, transferred);
}
