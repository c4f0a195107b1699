/** Which wallet a request is about. */
import { Type } from 'typebox';
import { words } from '../../plumbing/fields.ts';

const currencies = ['NGN', 'USD', 'EUR', 'GBP', 'CAD', 'AED'] as const;

export const currency = Type.Optional(
  words(currencies, { description: `one of ${currencies.join(', ')}; NGN when absent` }),
);
