/**
 * `oja mcp`: serves the gateway's tools to an agent on this machine. It is a client of the API and
 * needs no database.
 */
import type { Command } from 'commander';
import type { Variables } from '../../core/settings-reader.ts';
import { bridgeMcp } from '../bridge-mcp.ts';
import { CommandError } from '../command-error.ts';
import { allowHttpOption, isHeader, requireHttps, requireSecret } from '../require-https.ts';
import type { Terminal } from '../run.ts';
import { examplesText } from '../run.ts';

const settings = `
Settings: OJA_URL is the gateway (default: http://127.0.0.1:8080). OJA_KEY and OJA_SECRET are a
credential of the merchant. Purchases need caps: see oja credential set-caps --help.`;

export function addMcp(program: Command, terminal: Terminal, variables: Variables): void {
  program
    .command('mcp')
    .description('serve the tools of the Model Context Protocol on standard input and output')
    .option(...allowHttpOption)
    .addHelpText('after', settings + examplesText(['mcp']))
    .action(async ({ allowHttp = false }: { readonly allowHttp?: boolean }) => {
      const url = variables.OJA_URL || 'http://127.0.0.1:8080';
      if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
        throw new CommandError('url_malformed', 'OJA_URL must be a URL such as https://gateway.example');
      }
      requireHttps('OJA_URL', { url, allowHttp });
      const { OJA_KEY: key } = variables;
      if (!isHeader(key))
        throw new CommandError('key_missing', 'OJA_KEY is required: the key of a credential');
      await bridgeMcp(terminal, { url, key, secret: requireSecret(variables.OJA_SECRET) });
    });
}
