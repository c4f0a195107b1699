// POST /hooks/{provider}: what providers call when they have news of a vend, and banks when money came in. Anybody can: the
// body is a hint to go and ask the provider, never a proof, and the answer says nothing of what became of it. A bank signs its
// notices; one that it did not sign is refused, so that a wrong key shows on its side.
import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../../kernel/errors.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { acceptAnyContentType, readBodyText, readJsonBody } from '../plumbing/json-body.ts';

const PROVIDER = /^[a-z0-9][a-z0-9-]{0,39}$/;

export function registerHooksRoute(
  app: FastifyInstance,
  { providerCallback, bankNotice }: Pick<ServerDependencies, 'providerCallback' | 'bankNotice'>,
): void {
  app.post<{ Params: { provider: string } }>(
    '/hooks/:provider',
    { schema: { hide: true }, onRequest: acceptAnyContentType },
    async (request) => {
      const { provider } = request.params;
      const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      const taken = PROVIDER.test(provider) ? await bankNotice(provider, bytes, request.headers) : 'nobody';
      if (taken === 'taken') return { response: 'success' };
      if (taken === 'forged') {
        throw new GatewayError('unauthenticated', 'The notice is not signed by the provider');
      }
      const body = readJsonBody(request);
      const raw = readBodyText(request);
      if (!PROVIDER.test(provider) || !(await providerCallback(provider, body, request.headers, raw))) {
        throw new GatewayError('not_found', 'Nobody takes callbacks here');
      }
      return { response: 'success' };
    },
  );
}
