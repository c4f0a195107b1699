/**
 * POST /hooks/{provider}: callbacks from providers about purchases, and notices from banks about
 * payments. Anyone can send one. The body is a hint to query the provider, never a proof, and the
 * answer does not say what happened to it. A bank signs its notices, and an unsigned one is
 * refused, so that a wrong key shows on the bank's side.
 */
import { Type } from 'typebox';
import type { ServerDependencies } from '../../dependencies.ts';
import type { Api } from '../../plumbing/api.ts';
import { readBytes, takeAnyContentType } from '../../plumbing/json-bodies.ts';
import { parseJson } from '../../plumbing/parse-json.ts';
import { Refusal } from '../../plumbing/refusal.ts';

const PROVIDER = /^[a-z0-9][a-z0-9-]{0,39}$/;

const schema = { hide: true, params: Type.Object({ provider: Type.String() }) };

export function registerHooksRoute(
  api: Api,
  { providerCallback, funding }: Pick<ServerDependencies, 'providerCallback' | 'funding'>,
): void {
  api.post('/hooks/:provider', { schema, onRequest: takeAnyContentType }, async (request) => {
    const { provider } = request.params;
    const bytes = readBytes(request);
    const taken = PROVIDER.test(provider)
      ? await funding.takeNotice(provider, bytes ?? new Uint8Array(), request.headers)
      : 'nobody';
    if (taken === 'taken') return { response: 'success' };
    if (taken === 'forged') {
      throw new Refusal(401, 'notice_not_signed', 'The notice is not signed by the provider');
    }
    const body = parseJson(bytes);
    const raw = Buffer.from(bytes ?? []).toString('utf8');
    if (!PROVIDER.test(provider) || !(await providerCallback(provider, body, request.headers, raw))) {
      throw new Refusal(404, 'path_unknown', 'No provider accepts callbacks at this address');
    }
    return { response: 'success' };
  });
}
