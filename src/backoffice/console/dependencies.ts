/** The dependencies of a listener of the console or the portal. */
import type { Logger } from '../../core/log.ts';
import type { Services } from '../operations/services.ts';
import type { Present } from '../users/open-session.ts';
import type { SignInParts } from '../users/sign-in-parts.ts';

export type ConsoleDependencies = SignInParts & {
  readonly services: Services;
  readonly environment: 'demo' | 'production';
  /** The public URL, such as `https://console.shop.example`. Undefined: only on this machine. */
  readonly url: string | undefined;
  /** The address it listens on. */
  readonly host: string;
  /** The folder of the built application. It may not exist. */
  readonly built: string;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Long operations that finish within this time are answered directly. Default: 1,500 ms. */
  readonly momentMs?: number;
  readonly log: Pick<Logger, 'info' | 'error'>;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The session, open or half open. */
    present: Present | undefined;
    /** The nonce of the page's scripts and styles. */
    nonce: string;
    /** The maximum size of its body in bytes. Undefined: 64 KiB. */
    bodyBytesMax: number | undefined;
    /** The error code, for the log. */
    refusedWith: string | undefined;
  }
}
