/**
 * `oja listen`: forwards webhooks to a machine that is not reachable from outside. It is a client
 * of the API and needs no database.
 */
import { type Command, InvalidArgumentError } from 'commander';
import type { Variables } from '../../core/settings-reader.ts';
import { isThisMachine } from '../../core/this-machine.ts';
import { newSecret } from '../../notifications/webhooks/signature.ts';
import { CommandError } from '../command-error.ts';
import { forwardEvents } from '../forward-events.ts';
import { examplesText, type Terminal } from '../run.ts';

type Options = {
  readonly forwardTo: string;
  readonly key: string;
  readonly url: string;
  readonly allowHttp?: boolean;
  readonly types?: string;
  readonly after: string;
  readonly count?: number;
  readonly json?: boolean;
};

const secrets = `
OJA_SECRET is the secret of the credential. Webhooks are signed with OJA_WEBHOOK_SECRET (whsec_…)
or, without it, with a new secret that is printed.`;

export function addListen(program: Command, terminal: Terminal, variables: Variables): void {
  program
    .command('listen')
    .description('forward the events of a merchant to a URL on this machine, as webhooks')
    .requiredOption('--forward-to <url>', 'the URL that receives the webhooks', webAddress)
    .requiredOption('--key <key>', 'the key of a credential of the merchant')
    .option('--url <url>', 'the gateway', webAddress, 'http://127.0.0.1:8080/')
    .option(...allowHttpOption)
    .option('--types <types>', 'event types, separated by commas (default: all)')
    .option('--after <cursor>', 'continue after a printed cursor', 'latest')
    .option('--count <number>', 'stop after this many events', wholeNumber)
    .option('--json', 'print one line of JSON for each event')
    .addHelpText(
      'after',
      secrets + examplesText(['listen --forward-to http://localhost:3000/webhooks --key oja_test_…']),
    )
    .action(async (options: Options) => {
      const secret = requireSecret(variables.OJA_SECRET);
      requireHttps('--url', options);
      const given = variables.OJA_WEBHOOK_SECRET;
      if (given !== undefined && !/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(given)) {
        throw new CommandError(
          'webhook_secret_malformed',
          'OJA_WEBHOOK_SECRET must be whsec_ and base64 of 24 to 64 bytes',
        );
      }
      const signingSecret = given ?? newSecret();
      if (given === undefined) terminal.stderr.write(`Webhooks are signed with ${signingSecret}\n`);
      const stopping = new AbortController();
      const stop = (): void => stopping.abort();
      process.once('SIGINT', stop).once('SIGTERM', stop);
      try {
        const { forwardTo, url, key, types, after, count, json = false } = options;
        const from = { gateway: url, key, secret, types, after };
        await forwardEvents(terminal, { ...from, forwardTo, signingSecret, count, json }, stopping.signal);
      } finally {
        process.off('SIGINT', stop).off('SIGTERM', stop);
      }
    });
}

function webAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be a URL such as http://localhost:3000/webhooks.');
  }
  return url.href;
}

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a positive whole number.');
  return Number(text);
}

/** The option for `allowHttp`. */
const allowHttpOption = [
  '--allow-http',
  'allow http:// to a gateway on another machine, on a private network',
] as const;

/**
 * Throws CommandError if the secret would be sent unencrypted to another machine. `name` is the
 * option or setting of the URL.
 */
function requireHttps(
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
function requireSecret(secret: string | undefined): string {
  if (secret !== undefined && /^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new CommandError('secret_missing', 'OJA_SECRET is required: the secret of the credential');
}
