/** eSIM Access's paths below `/esimaccess`. All are POST, and all are signed. */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { json, type Reply, readJson } from '../http.ts';
import type { EsimAccess } from './esimaccess.ts';
import { placeOrder } from './order.ts';
import { balance, listEsims, listPackages } from './reads.ts';
import { refusal, words } from './replies.ts';

const ACCESS_CODE = 'simulator-access-code';
const SECRET_KEY = 'simulator-esimaccess-secret-0123456789abcdefghij';

export async function answerEsimAccess(
  esimaccess: EsimAccess,
  request: IncomingMessage,
  url: URL,
): Promise<Reply> {
  const { latencyMs } = esimaccess.account.settings;
  const body = await readJson(request);
  if (latencyMs > 0) await sleep(latencyMs);
  if (request.method !== 'POST') return refusal('000103', 'The request method is not supported');
  if (!isSigned(request, body)) return words.unauthorized;
  switch (url.pathname.slice('/esimaccess/api/v1/open'.length)) {
    case '/esim/order':
      return await placeOrder(esimaccess, body);
    case '/esim/query':
      return await listEsims(esimaccess, body);
    case '/package/list':
      return await listPackages(esimaccess);
    case '/balance/query':
      return balance(esimaccess);
    default:
      return json({ message: 'Not Found' }, 404);
  }
}

/** The callers' JSON has no spaces, so that what was parsed gives the signed bytes again. */
function isSigned({ headers }: IncomingMessage, body: unknown): boolean {
  const message = [headers['rt-timestamp'], headers['rt-requestid'], ACCESS_CODE, JSON.stringify(body)].join(
    '',
  );
  const signature = createHmac('sha256', SECRET_KEY).update(message).digest('hex');
  return headers['rt-accesscode'] === ACCESS_CODE && headers['rt-signature'] === signature;
}
