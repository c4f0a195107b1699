/**
 * The thread that draws QR codes. Each takes about 20 ms, for which the gateway's event loop must
 * not stop.
 */
import { parentPort } from 'node:worker_threads';
import { toBuffer } from 'qrcode';
import type { DrawAnswer, DrawRequest } from './qr-codes.ts';

parentPort?.on('message', ({ id, text }: DrawRequest) => {
  toBuffer(text, { type: 'png', errorCorrectionLevel: 'M', margin: 4, width: 360 }).then(
    (png) => answer({ id, png }),
    () => answer({ id, png: undefined }),
  );
});

function answer(drawn: DrawAnswer): void {
  parentPort?.postMessage(drawn);
}
