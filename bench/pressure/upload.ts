/** Sends a form with an ID document, either completely or only its beginning. */
import { type ClientRequest, request } from 'node:http';
import type { Gateway } from '../gateway.ts';
import type { Credential } from '../load/job.ts';

const boundary = 'pressure-boundary';
const STALLED_BYTES = 1_000;
/** After a connection that was cut or refused. */
const AGAIN_MS = 100;

export type Document = Buffer;

/** The complete form: a person's registration, and a PDF of the given size. */
export function documentOf(person: string, bytes: number): Document {
  const fields = {
    currency: 'NGN',
    bvn: '22300000001',
    email: `${person}@shop.example`,
    first_name: 'Ada',
    last_name: 'Obi',
    phone_number: '08031234567',
  };
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="id_card"; filename="id.pdf"\r\n\r\n`;
  return Buffer.from(`${parts.join('')}${head}%PDF-1.7\n${' '.repeat(bytes)}\r\n--${boundary}--\r\n`);
}

/** The status of the answer, or 0 if the connection broke. Waits a moment after a refusal. */
export async function sendDocument(
  gateway: Gateway,
  credential: Credential,
  document: Document,
  stop: AbortSignal,
): Promise<number> {
  const status = await new Promise<number>((resolve) => {
    const sending = open(gateway, credential, document, stop);
    sending.on('error', () => resolve(0));
    sending.on('close', () => resolve(0));
    sending.on('response', (answer) => {
      answer.resume().on('end', () => {
        resolve(answer.statusCode ?? 0);
        // An answer that comes before the whole form was read ends the upload.
        sending.destroy();
      });
    });
    sending.end(document);
  });
  if (status !== 200 && !stop.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  return status;
}

/** Resolves when the gateway ends it, or at `stop`. */
export async function stallUpload(
  gateway: Gateway,
  credential: Credential,
  document: Document,
  stop: AbortSignal,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const sending = open(gateway, credential, document, stop);
    sending.on('error', () => resolve());
    sending.on('close', () => resolve());
    sending.on('response', () => sending.destroy());
    sending.write(document.subarray(0, STALLED_BYTES));
  });
  if (!stop.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
}

function open(
  { port }: Gateway,
  { key, secret }: Credential,
  document: Document,
  signal: AbortSignal,
): ClientRequest {
  return request(`http://127.0.0.1:${port}/v1/wallet/funding-account`, {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      'x-merchant-key': key,
      'x-merchant-secret': secret,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': document.length,
    },
  });
}
