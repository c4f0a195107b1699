/**
 * Returns or opens a merchant's funding account, like the API. Fields of an earlier registration
 * may be omitted. An identity document is stored sealed; the first one is kept.
 *
 * Guarantees: neither the audit log nor an error has personal data.
 */
import { type Static, Type } from 'typebox';
import { GatewayError, OperationError } from '../../core/errors.ts';
import { nullableText } from '../../core/nullable.ts';
import { defineOperation, fileBodyBytesMax, supportersAndTreasurers } from '../../core/operation.ts';
import type { OperationErrorDetails } from '../../core/operation-errors.ts';
import {
  currencyField,
  dayField,
  environmentField,
  inputOf,
  merchantField,
  oneOf,
  text,
} from '../../core/operation-fields.ts';
import { isPhoneNumber } from '../../core/products/mobile-number.ts';
import type { RequestFault } from '../../core/request-fault.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import type { Tasking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { listWallets } from '../../wallet/wallet-store.ts';
import type { FundingAccount } from '../funding-account.ts';
import { documentField, readDocument } from '../id-document.ts';
import type { PersonalFields, Registrant, Registration } from '../registration.ts';

export type OpenFunding = (registrant: Registrant, registration: Registration) => Promise<FundingAccount>;

type Needs = Tasking & { readonly openFunding?: OpenFunding };

const name = (what: string) => Type.Optional(text(`the ${what} of the holder`, { maxLength: 50 }));

const phoneNumber = 'a number such as 08031234567, or one that begins with + and the country code';

const input = inputOf({
  merchant: merchantField,
  environment: oneOf(['live', 'test'], { default: 'live' }),
  currency: currencyField,
  first_name: name('first name'),
  last_name: name('last name'),
  email: Type.Optional(
    Type.String({ description: 'an e-mail address', pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 254 }),
  ),
  phone: Type.Optional(
    Type.String({
      description: phoneNumber,
      pattern: '^\\+?[0-9 -]{7,20}$',
    }),
  ),
  bvn: Type.Optional(
    Type.String({ description: 'the 11 digits of a BVN; needed for naira', pattern: '^[0-9]{11}$' }),
  ),
  birthday: Type.Optional({ ...dayField, description: 'a day such as 1990-04-17' }),
  document: Type.Optional(documentField),
});

export const openFundingOperation = defineOperation({
  name: 'funding.open',
  kind: 'task',
  summary: 'open a funding account for a merchant, or show the existing one',
  roles: supportersAndTreasurers,
  portal: { roles: ['finance'] },
  route: 'POST /merchants/{merchant}/funding/accounts',
  document: 'merchants/portal.md',
  bodyBytesMax: fileBodyBytesMax,
  input,
  output: Type.Object({
    environment: environmentField,
    currency: currencyField,
    status: oneOf(['pending', 'active']),
    account_number: nullableText,
    account_name: nullableText,
    bank_name: nullableText,
    document_uploaded: Type.Boolean(),
  }),
  run: async ({ database, sql, actor, openFunding }: Needs, given) => {
    const { merchant: code, environment, currency, document: content } = given;
    const { id } = await findByCode(sql, code);
    const own = (await listWallets(sql, id)).filter((row) => row.environment === environment);
    const wallets = new Map(own.map((row) => [row.currency, row.account_id] as const));
    const document = content === undefined ? undefined : await readDocument('document', content);
    const registration = { currency, fields: personOf(given), document };
    if (openFunding === undefined) throw new OperationError({ code: 'no_bank_for', currency });
    const opened = await openFunding({ environment, merchant: { id, code, wallets } }, registration).catch(
      (error: unknown) => {
        throw error instanceof GatewayError ? refusalOf(error, currency) : error;
      },
    );
    const { status, account } = opened;
    await database.transaction((tx) =>
      recordOperation(tx, {
        actor,
        action: 'funding.open',
        subject: `merchant:${code}`,
        after: { environment, currency, status, ...(document && { document: document.mediaType }) },
      }),
    );
    return {
      environment,
      currency,
      status,
      account_number: account?.number ?? null,
      account_name: account?.name ?? null,
      bank_name: account?.bankName ?? null,
      document_uploaded: opened.documentUploaded,
    };
  },
});

function personOf(given: Static<typeof input>): PersonalFields {
  const { first_name: firstName, last_name: lastName, email, phone, bvn, birthday } = given;
  return {
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone: readPhone(phone) }),
    ...(bvn !== undefined && { bvn }),
    ...(birthday !== undefined && { dateOfBirth: birthday }),
  };
}

/** Reads a phone number that may have spaces and dashes. */
function readPhone(typed: string): string {
  const phone = typed.replaceAll(/[ -]/g, '');
  if (isPhoneNumber(phone)) return phone;
  throw new OperationError({
    code: 'input_malformed',
    errors: [{ field: 'phone', kind: 'wrong', wanted: phoneNumber }],
  });
}

const fieldOf = {
  email: 'email',
  firstName: 'first_name',
  lastName: 'last_name',
  phone: 'phone',
  bvn: 'bvn',
} as const;

/** Turns an error of the gateway into one of the operation that names the missing fields. */
function refusalOf(error: GatewayError, currency: string): Error {
  const faults = error.faults.flatMap((fault) =>
    fault.code === 'registrant_missing'
      ? [
          {
            field: fieldOf[fault.role],
            kind: 'wrong' as const,
            wanted: 'given: it is registered nowhere yet',
          },
        ]
      : [],
  );
  if (faults.length > 0) return new OperationError({ code: 'input_malformed', errors: faults });
  const told = faultOf(error.faults[0], currency);
  return told === undefined ? error : new OperationError(told);
}

function faultOf(fault: RequestFault | undefined, currency: string): OperationErrorDetails | undefined {
  switch (fault?.code) {
    case 'not_an_adult':
      return { code: 'registrant_too_young' };
    case 'email_taken':
      return { code: 'registrant_email_taken' };
    case 'registration_refused':
      return { code: 'registration_not_taken', reason: fault.reason };
    case 'funding_not_enabled':
    case 'no_wallet':
      return { code: 'funding_not_allowed', currency };
    case 'no_bank':
      return { code: 'no_bank_for', currency };
    case 'bank_silent':
    case 'account_being_opened':
      return { code: 'bank_not_answering' };
    default:
      return undefined;
  }
}
