/**
 * `oja listen`: brings a developer's webhooks to a machine that nobody can call. It is a client of
 * the API, and needs no database.
 */
import { type Command, InvalidArgumentError } from 'commander';
import type { Variables } from '../../core/settings-reader.ts';
import { newSecret } from '../../notifications/webhooks/signature.ts';
import { CommandError } from '../command-error.ts';
import { forwardEvents } from '../forward-events.ts';
import { allowHttpOption, requireHttps, requireSecret } from '../require-https.ts';
import { examplesText } from '../run.ts';
import type { Terminal } from '../terminal.ts';

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
The secret of the credential is read from OJA_SECRET. Webhooks are signed with the secret of
OJA_WEBHOOK_SECRET (whsec_…) or, without it, with a new one that is printed.`;

export function addListen(program: Command, terminal: Terminal, variables: Variables): void {
  program
    .command('listen')
    .description('send the events of a merchant to a URL on this machine, as webhooks, as they happen')
    .requiredOption('--forward-to <url>', 'where to send them', webAddress)
    .requiredOption('--key <key>', 'the key of a credential of the merchant')
    .option('--url <url>', 'the gateway', webAddress, 'http://127.0.0.1:8080/')
    .option(...allowHttpOption)
    .option('--types <types>', 'types of events, separated by commas; without it, all')
    .option('--after <cursor>', 'a cursor that was printed, to go on from there', 'latest')
    .option('--count <number>', 'end after so many events', wholeNumber)
    .option('--json', 'print JSON, a line for each event')
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
    throw new InvalidArgumentError('it must be a URL such as http://localhost:3000/webhooks');
  }
  return url.href;
}

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('it must be a whole number above zero');
  return Number(text);
}
