/** The thread that draws QR codes: each takes about 20 ms, too long for the event loop. */
import { toBuffer } from 'qrcode';
import { serveCalls } from '../low-priority-thread.ts';

serveCalls(
  async (text: string): Promise<Uint8Array> =>
    new Uint8Array(await toBuffer(text, { type: 'png', errorCorrectionLevel: 'M', margin: 4, width: 360 })),
);
