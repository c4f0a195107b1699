/**
 * The banks that Oja comes with, a line each. Of those in use the first one that is live opens new
 * accounts, unless told otherwise.
 */
import type { BankDefinition } from './bank-definition.ts';
import { monnify } from './monnify/index.ts';
import { paystack } from './paystack/index.ts';
import { sandboxBank } from './sandbox/index.ts';

export const builtInBanks: readonly BankDefinition[] = [sandboxBank, monnify, paystack];
