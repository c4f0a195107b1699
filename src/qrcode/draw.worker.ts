/**
 * The thread that draws QR codes: about 20 ms each, which the event loop of the gateway must not
 * spend.
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
