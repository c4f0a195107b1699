/** The fields that the bodies of purchases and verifications share. */
import { Type } from 'typebox';
import { cleanText, text } from '../../plumbing/fields.ts';

export const merchant = text('the code of your merchant profile', {
  format: 'clean-text',
  examples: ['DEMO'],
});

export function billCustomer(what: string) {
  return text(`${what}, a string of 1 to 64 characters ${cleanText}`, {
    format: 'clean-text',
    maxLength: 64,
  });
}

export const billPlanCode = text('the id of a plan from the list of bill plans, as a string such as "2001"', {
  format: 'clean-text',
  examples: ['2001'],
  'x-or-integer': true,
});

/** Other names of request fields, and the fields that they stand for. */
export const fieldAliases = {
  merchant_code: 'merchant',
  customer_msisdn: 'msisdn',
  client_request_id: 'request_ref',
  plan: 'plan_code',
} as const;

function alias(name: keyof typeof fieldAliases) {
  const field = fieldAliases[name];
  return Type.Optional(
    Type.String({ description: `a string: another name of ${field}`, 'x-alias-of': field }),
  );
}

/** The fields that every body has. */
export const customerAliases = {
  merchant_code: alias('merchant_code'),
  customer_msisdn: alias('customer_msisdn'),
};

export const referenceAlias = { client_request_id: alias('client_request_id') };

export const planAlias = { plan: alias('plan') };
