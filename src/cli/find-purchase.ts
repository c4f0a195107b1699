/** The purchase that a command is about: by its reference, or by our id of it. */
import type { Command } from 'commander';
import type { Database } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import { showVend, type VendHistory } from '../vending/history/show-vend.ts';
import { readEnvironment } from './arguments.ts';
import { CommandError } from './command-error.ts';

export type FindOptions = { readonly merchant?: string; readonly env?: Environment };

/** The arguments that name a purchase. */
export function argumentsOfFind(command: Command): Command {
  return command
    .argument('<reference>', "the merchant's reference, or our internal reference")
    .option('--merchant <code>', 'where several merchants used the reference')
    .option('--env <environment>', 'test or live, where it was used in both', readEnvironment);
}

/** Throws CommandError where there is none, or several. */
export async function findOne(
  database: Pick<Database, 'transaction'>,
  key: string,
  { merchant, env }: FindOptions,
): Promise<VendHistory> {
  const shown = await showVend(database, { key, merchantCode: merchant, environment: env });
  switch (shown.kind) {
    case 'found':
      return shown.history;
    case 'none':
      throw new CommandError(`there is no purchase with the reference or id "${key}"`);
    case 'several': {
      const places = shown.vends.map(
        (vend) => `  --merchant ${vend.merchant_code} --env ${vend.environment}`,
      );
      throw new CommandError(`"${key}" was used more than once; say which:\n${places.join('\n')}`);
    }
  }
}
