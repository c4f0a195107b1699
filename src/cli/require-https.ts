/** Checks of commands that send the secret of a credential to the API. */
import { isThisMachine } from '../core/this-machine.ts';
import { CommandError } from './command-error.ts';

/** The option for `allowHttp`. */
export const allowHttpOption = [
  '--allow-http',
  'allow http:// to a gateway on another machine, on a private network',
] as const;

/**
 * Throws CommandError if the secret would be sent unencrypted to another machine. `name` is the
 * option or setting of the URL.
 */
export function requireHttps(
  name: string,
  { url, allowHttp = false }: { readonly url: string; readonly allowHttp?: boolean },
): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' || isThisMachine(hostname) || allowHttp) return;
  throw new CommandError(
    'connection_insecure',
    `${name} must be https://, because http:// sends your secret unencrypted. On a private network add --allow-http`,
  );
}

/** Returns the value of OJA_SECRET. Throws CommandError if it cannot be sent as a header. */
export function requireSecret(secret: string | undefined): string {
  if (secret !== undefined && /^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new CommandError('secret_missing', 'OJA_SECRET is required: the secret of the credential');
}
