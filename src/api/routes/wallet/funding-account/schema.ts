/** The registration for a funding account, and the account. */
import { type Static, Type } from 'typebox';
import { nullable } from '../../../../core/nullable.ts';
import { answer } from '../../../plumbing/answer.ts';
import { currency } from '../../../plumbing/currency.ts';
import { cleanText, type TextOptions, text, words } from '../../../plumbing/fields.ts';

function personal(what: string, options: TextOptions) {
  return Type.Optional(text(what, options));
}

const firstRegistration = 'required on first registration';

/** The required fields depend on the registered data. The operation reports missing ones. */
export const fundingAccountBody = Type.Object(
  {
    currency,
    bvn: personal('the 11 digits of a BVN, as a string; required for NGN', { format: 'bvn' }),
    email: personal(`an e-mail address; ${firstRegistration}`, { format: 'e-mail', maxLength: 254 }),
    first_name: personal(
      `the first name of the account holder, 1 to 50 characters ${cleanText}; ${firstRegistration}`,
      { format: 'clean-text', maxLength: 50 },
    ),
    last_name: personal(
      `the last name of the account holder, 1 to 50 characters ${cleanText}; ${firstRegistration}`,
      { format: 'clean-text', maxLength: 50 },
    ),
    phone_number: personal(
      `a phone number such as "08031234567", or one that begins with + and the country code; ${firstRegistration}`,
      { format: 'phone-number' },
    ),
    date_of_birth: personal('the birthday of an adult, as "YYYY-MM-DD"', { format: 'day' }),
    id_card: Type.Optional(
      Type.String({
        description: 'a file in multipart/form-data: JPEG, PNG, WebP or PDF, at most 5 MB',
        contentMediaType: 'application/octet-stream',
        'x-file-types': 'image/jpeg, image/png, image/webp, application/pdf',
      }),
    ),
  },
  {
    description: 'a JSON object, or multipart/form-data',
    title: 'FundingAccountBody',
    'x-examples': {
      first_registration: {
        currency: 'NGN',
        bvn: '22222222222',
        email: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'Obi',
        phone_number: '08031234567',
        date_of_birth: '1990-04-17',
      },
      registered_before: { currency: 'NGN' },
    },
  },
);

export type FundingAccountBody = Static<typeof fundingAccountBody>;

export const fundingAccountQuery = Type.Object({ currency });

const untilKnown = (description: string) =>
  nullable(Type.String(), { description: `${description}; null while pending` });

export const fundingAccountAnswer = answer(
  'FundingAccountAnswer',
  'The bank account whose transfers top the wallet up.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      account_number: untilKnown('ten digits'),
      account_name: untilKnown('the name that payers see'),
      bank_name: untilKnown('the bank that holds it'),
      currency: Type.String(),
      status: words(['active', 'pending'], { description: 'pending: the bank is opening it' }),
      id_document_uploaded: Type.Boolean(),
      convenience_fee: Type.String({ description: 'the fee that is deducted from each deposit' }),
    }),
  },
  {
    active: accountExample({
      account_number: '6012345678',
      account_name: 'Ada Obi',
      bank_name: 'Wema Bank',
      status: 'active',
    }),
    pending: accountExample({
      account_number: null,
      account_name: null,
      bank_name: null,
      status: 'pending',
    }),
  },
);

function accountExample(account: object): object {
  const rest = { currency: 'NGN', id_document_uploaded: false, convenience_fee: '100.00' };
  return { state: 'ok', result: { ...account, ...rest } };
}
