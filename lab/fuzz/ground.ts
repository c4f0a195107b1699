/** The gateway under test. Each chapter of a run has new callers. */
import { memoryVariables } from '../../src/app/command-line/become-gateway.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../test/support/gateway.ts';
import { operate } from '../../test/support/people.ts';
import { bringCallers, type Callers } from './callers.ts';
import type { Edge } from './targets.ts';

export type FuzzGround = AsyncDisposable & {
  readonly gateway: Gateway;
  readonly urls: Readonly<Record<Edge, string>>;
  /** Three new merchants, and all callers. */
  bring(): Promise<Callers>;
};

const settings = {
  // Memory is watched, so the C library has the same settings as under `npm start`.
  ...memoryVariables,
  // Each call has its own address, so that no rate limit applies.
  OJA_TRUSTED_PROXIES: '127.0.0.1',
  // The same user tops up the wallets of all merchants.
  OJA_CORRECTION_LIMIT: '40000000',
  OJA_LOG_LEVEL: 'error',
  // A full connection limit returns 503 before the request is read, so few connections are used.
  OJA_DATABASE_CONNECTIONS: '24',
  NODE_OPTIONS: '--inspect=127.0.0.1:0 --max-old-space-size=768',
};

export async function openFuzzGround(options: GatewayOptions = {}): Promise<FuzzGround> {
  await using stack = new AsyncDisposableStack();
  const gateway = stack.use(
    await startGateway({ ...options, settings: { ...settings, ...options.settings } }),
  );
  const run = await operate(gateway);
  const urls = {
    api: gateway.url,
    admin: gateway.adminUrl.replace(/\/admin\/v1$/, ''),
    console: urlAfter(gateway, 'Console'),
    portal: urlAfter(gateway, 'Portal'),
  };
  let chapter = 0;
  const owned = stack.move();
  return {
    gateway,
    urls,
    bring: async () => {
      chapter += 1;
      return await bringCallers(gateway, run, chapter - 1);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function urlAfter(gateway: Gateway, word: string): string {
  const url = new RegExp(`^ +${word} +(http:\\S+)`, 'm').exec(gateway.output())?.[1];
  if (url === undefined) throw new Error(`the gateway did not say where its ${word} is`);
  return url;
}
