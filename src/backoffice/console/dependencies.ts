/** What a listener of the console or the portal works with. */
import type { Logger } from '../../core/log.ts';
import type { Services } from '../operations/services.ts';
import type { Present } from '../users/open-session.ts';
import type { SignInParts } from '../users/sign-in-parts.ts';

export type ConsoleDependencies = SignInParts & {
  readonly services: Services;
  readonly environment: 'demo' | 'production';
  /**
   * Where people reach it, such as `https://console.shop.example`; absent: on this machine alone.
   */
  readonly url: string | undefined;
  /** The address it listens on. */
  readonly host: string;
  /** The folder of the built application. It may not be there. */
  readonly built: string;
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /**
   * Long work that takes no longer is answered as anything else is, in milliseconds. Default 1,500.
   */
  readonly momentMs?: number;
  readonly log: Pick<Logger, 'info' | 'error'>;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose session it is, open or half open. */
    present: Present | undefined;
    /** For the page's scripts and styles: new with each answer. */
    nonce: string;
    /** The most bytes of its body. Undefined: 64 KiB. */
    bodyBytesMax: number | undefined;
    /** The code of what it was refused for, for the log. */
    refusedWith: string | undefined;
  }
}
