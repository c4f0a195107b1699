/** The purchase that a command is about: by its reference, or by our id of it. */
import type { Command } from 'commander';
import type { Sql } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import { requirePurchase } from '../vending/history/find-purchase.ts';
import type { FoundVend } from '../vending/history/timeline-store.ts';
import { readEnvironment } from './arguments.ts';

export type FindOptions = { readonly merchant?: string; readonly env?: Environment };

/** The arguments that name a purchase. */
export function argumentsOfFind(command: Command): Command {
  return command
    .argument('<reference>', "the merchant's reference, or our internal reference")
    .option('--merchant <code>', 'where several merchants used the reference')
    .option('--env <environment>', 'test or live, where it was used in both', readEnvironment);
}

/** Throws OperationError where there is none, or several. */
export async function findOne(
  sql: Sql,
  reference: string,
  { merchant, env }: FindOptions,
): Promise<{ readonly vend: FoundVend }> {
  const named = { reference, ...(merchant && { merchant }), ...(env && { environment: env }) };
  return { vend: await requirePurchase(sql, named) };
}
