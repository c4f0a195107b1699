/**
 * The banks of Oja, one line each. New live accounts are opened at the first configured bank,
 * unless a setting names another.
 */
import type { BankDefinition } from './bank-definition.ts';
import { flutterwave } from './flutterwave/index.ts';
import { monnify } from './monnify/index.ts';
import { paystack } from './paystack/index.ts';
import { payvessel } from './payvessel/index.ts';
import { sandboxBank } from './sandbox/index.ts';

export const builtInBanks: readonly BankDefinition[] = [
  sandboxBank,
  monnify,
  paystack,
  flutterwave,
  payvessel,
];
