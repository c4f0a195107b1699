/**
 * The banks that Oja comes with, one line each. New live accounts are opened at the first of them
 * that is configured, unless a setting names another.
 */
import type { BankDefinition } from './bank-definition.ts';
import { monnify } from './monnify/index.ts';
import { paystack } from './paystack/index.ts';
import { sandboxBank } from './sandbox/index.ts';

export const builtInBanks: readonly BankDefinition[] = [sandboxBank, monnify, paystack];
