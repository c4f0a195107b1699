/** Commands that are clients of the API, and send the secret of a credential. */
import { isThisMachine } from '../core/this-machine.ts';
import { CommandError } from './command-error.ts';

/** The option of `allowHttp`, and its help. */
export const allowHttpOption = [
  '--allow-http',
  'over http:// to a gateway on another machine too: on a network of your own',
] as const;

/**
 * Throws CommandError where everybody on the way could read the secret, as the client libraries do.
 * `name` is what the URL is called where it is set.
 */
export function requireHttps(
  name: string,
  { url, allowHttp = false }: { readonly url: string; readonly allowHttp?: boolean },
): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' || isThisMachine(hostname) || allowHttp) return;
  throw new CommandError(
    'connection_insecure',
    `${name} must be https://: over http:// everybody on the way can read your secret. On a network of your own add --allow-http`,
  );
}

/** Of OJA_SECRET. Throws CommandError where it cannot be sent as a header. */
export function requireSecret(secret: string | undefined): string {
  if (isHeader(secret)) return secret;
  throw new CommandError('secret_missing', 'OJA_SECRET is required: the secret of the credential');
}

/** It can be sent as a header. */
export function isHeader(text: string | undefined): text is string {
  return text !== undefined && /^[\x21-\x7e]+$/.test(text);
}
