/**
 * Reads what an operator types. Each throws commander's InvalidArgumentError, which says what would
 * be right.
 */
import { InvalidArgumentError } from 'commander';
import { type Environment, environments } from '../kernel/environment.ts';
import { parseAmount } from '../kernel/money.ts';

export function readEnvironment(text: string): Environment {
  const found = environments.find((environment) => environment === text.toLowerCase());
  if (found === undefined) throw new InvalidArgumentError(`It must be one of ${environments.join(', ')}.`);
  return found;
}

/** Naira with at most two decimals, in kobo. */
export function readAmount(text: string): bigint {
  const amount = parseAmount(text);
  if (amount === undefined) throw new InvalidArgumentError('It must be an amount such as 5000 or 5000.50.');
  return amount;
}
