/**
 * `oja mcp`: the gateway as tools for an agent on this machine. It is a client of the API, and
 * needs no database.
 */
import type { Command } from 'commander';
import type { Variables } from '../../kernel/settings-reader.ts';
import { bridgeMcp } from '../bridge-mcp.ts';
import { CommandError } from '../command-error.ts';
import { examplesText } from '../run.ts';
import type { Terminal } from '../terminal.ts';

const settings = `
Settings: OJA_URL is the gateway (without it http://127.0.0.1:8080). OJA_KEY and OJA_SECRET are a
credential of the merchant. To buy, it needs caps: see oja credential set-caps --help.`;

export function addMcp(program: Command, terminal: Terminal, variables: Variables): void {
  program
    .command('mcp')
    .description('serve the tools of the Model Context Protocol on standard input and output')
    .addHelpText('after', settings + examplesText(['mcp']))
    .action(async () => {
      const url = variables.OJA_URL || 'http://127.0.0.1:8080';
      if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
        throw new CommandError('OJA_URL must be a URL such as https://gateway.example');
      }
      const { OJA_KEY: key, OJA_SECRET: secret } = variables;
      if (!isHeader(key)) throw new CommandError('OJA_KEY is required: the key of a credential');
      if (!isHeader(secret)) throw new CommandError('OJA_SECRET is required: the secret of the credential');
      await bridgeMcp(terminal, { url, key, secret });
    });
}

/** It can be sent as a header. */
function isHeader(text: string | undefined): text is string {
  return text !== undefined && /^[\x21-\x7e]+$/.test(text);
}
