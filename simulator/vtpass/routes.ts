/** VTpass's paths below `/vtpass/api`, and its check of keys. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { json, type Reply, readJson } from '../http.ts';
import { pay } from './pay.ts';
import { balance, services, variations } from './reads.ts';
import { refusal } from './replies.ts';
import { requery } from './requery.ts';
import { verify } from './verify.ts';
import type { Vtpass } from './vtpass.ts';

/** The simulator's only account. Nothing is protected by these: they are here so that a wrong key can be refused. */
const KEYS = {
  'api-key': 'simulator-api-key',
  'public-key': 'PK_simulator',
  'secret-key': 'SK_simulator',
} as const;

export async function answerVtpass(vtpass: Vtpass, request: IncomingMessage, url: URL): Promise<Reply> {
  const body = await readJson(request);
  if (vtpass.account.settings.latencyMs > 0) await sleep(vtpass.account.settings.latencyMs);
  const secondKey = request.method === 'GET' ? 'public-key' : 'secret-key';
  if (!hasKey(request.headers, 'api-key') || !hasKey(request.headers, secondKey)) return refusal('087');
  switch (`${request.method} ${url.pathname.slice('/vtpass/api'.length)}`) {
    case 'POST /pay':
      return await pay(vtpass, body);
    case 'POST /requery':
      return await requery(vtpass, body);
    case 'POST /merchant-verify':
      return await verify(vtpass, body);
    case 'GET /services':
      return services(vtpass, url.searchParams.get('identifier'));
    case 'GET /service-variations':
      return variations(vtpass, url.searchParams.get('serviceID'));
    case 'GET /balance':
      return balance(vtpass);
    default:
      return json({ message: 'Not Found' }, 404);
  }
}

function hasKey(headers: IncomingHttpHeaders, name: keyof typeof KEYS): boolean {
  return headers[name] === KEYS[name];
}
