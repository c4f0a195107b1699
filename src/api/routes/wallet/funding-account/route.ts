/**
 * POST and GET /v1/wallet/funding-account: the bank account whose transfers top up the wallet. It
 * is the only route that accepts a file, multipart/form-data and a larger body.
 */
import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { isRecord } from '../../../../core/json.ts';
import { formatAmount } from '../../../../core/money.ts';
import type { FundingAccount } from '../../../../funding/funding-account.ts';
import type { IdDocument, PersonalFields } from '../../../../funding/registration.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { parseCurrency, readCurrency } from '../../../plumbing/currency.ts';
import { dropEmpty, readBytes, readJson, takeAnyContentType } from '../../../plumbing/json-bodies.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { refuseField } from '../../../plumbing/refusal.ts';
import { readForm, uploadLimits } from './read-upload.ts';
import {
  type FundingAccountBody,
  fundingAccountAnswer,
  fundingAccountBody,
  fundingAccountQuery,
} from './schema.ts';
import { createUploadTurns, stalledUpload } from './upload-turns.ts';

const path = '/v1/wallet/funding-account';

type Dependencies = Pick<ServerDependencies, 'funding'>;

export function registerFundingAccountRoutes(api: Api, { funding }: Dependencies): void {
  // In a separate scope, so that other routes do not accept forms.
  api.register((scope: Api, _options, done) => {
    scope.register(multipart, { limits: uploadLimits });
    registerPost(scope, funding);
    done();
  });
  const schema = {
    operationId: 'getFundingAccount',
    summary: 'Look up the bank account for top-ups',
    description: 'The account of the currency. Its number is null while the bank is opening it.',
    tags: ['Wallet'],
    querystring: fundingAccountQuery,
    response: { 200: fundingAccountAnswer },
    refusals: [
      { code: 'funding_not_enabled', currency: 'USD' },
      { code: 'no_funding_account', currency: 'NGN' },
      { code: 'funding_account_refused', currency: 'NGN', reason: 'the bank could not confirm the BVN' },
    ] as const,
  };
  api.get(path, { schema }, async (request) => {
    const currency = readCurrency(request.query.currency);
    return envelope(await funding.findAccount(principalOf(request), currency));
  });
}

function registerPost(scope: Api, funding: Dependencies['funding']): void {
  const documents = new WeakMap<object, IdDocument>();
  const schema = {
    operationId: 'createFundingAccount',
    summary: 'Open a bank account for top-ups',
    description:
      'One account for each currency: later calls return the existing account, whatever holder they state. Send multipart/form-data to upload an ID document.',
    tags: ['Wallet'],
    // The route reads its body itself.
    consumes: ['application/json', 'multipart/form-data'],
    body: fundingAccountBody,
    response: { 200: fundingAccountAnswer },
    refusals: [
      { code: 'registrant_missing', role: 'bvn' },
      { code: 'not_an_adult' },
      { code: 'email_taken' },
      { code: 'registration_refused', reason: 'the bank could not confirm the BVN' },
      { code: 'funding_not_enabled', currency: 'USD' },
      { code: 'no_wallet', currency: 'USD' },
      shown('stalled_upload', stalledUpload()),
      { code: 'bank_silent' },
      { code: 'account_being_opened' },
      { code: 'no_bank', currency: 'NGN' },
    ] as const,
  };
  const hooks = { onRequest: takeAnyContentType, preValidation: createBodyReader(funding, documents) };
  scope.post(path, { schema, ...hooks }, async (request) => {
    const { body } = request;
    const account = await funding.openAccount(principalOf(request), {
      currency: readCurrency(body.currency),
      fields: personalFields(body),
      document: documents.get(request),
    });
    return envelope(account);
  });
}

/**
 * Only a declared form is read as a form. Everything else is read as JSON. The file of a form goes
 * to `documents`.
 */
function createBodyReader(
  funding: Dependencies['funding'],
  documents: WeakMap<object, IdDocument>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const turns = createUploadTurns();
  return async (request, reply) => {
    if (!request.isMultipart()) {
      // A call without a body is about the account in naira.
      const fields = hasBody(request) ? refuseTextFile(readJson(request)) : {};
      if (isRecord(fields)) dropEmpty(fields, fundingAccountBody);
      const open = await openAccountOf(funding, request, fields);
      request.body = open ?? (hasBody(request) ? fields : readJson(request));
      return;
    }
    await turns.take(request, reply);
    const fileIsKnown = await funding.hasDocument(principalOf(request));
    const { fields, document } = await turns.read(request, reply, () => readForm(request, { fileIsKnown }));
    const body = refuseTextFile(fields);
    request.body = (await openAccountOf(funding, request, body)) ?? body;
    if (document !== undefined) documents.set(request, document);
  };
}

/**
 * The body of a call about an account that exists: only its currency is validated, because the
 * other fields have no effect. Undefined if the account does not exist.
 */
async function openAccountOf(
  funding: Dependencies['funding'],
  request: FastifyRequest,
  body: unknown,
): Promise<FundingAccountBody | undefined> {
  const currency = isRecord(body) ? parseCurrency(body.currency) : undefined;
  if (currency === undefined) return undefined;
  return (await funding.hasAccount(principalOf(request), currency)) ? { currency } : undefined;
}

function hasBody(request: Pick<FastifyRequest, 'body'>): boolean {
  return (readBytes(request)?.length ?? 0) > 0;
}

/** A file must be a part of a form with a file name. Text under its name is not a file. */
function refuseTextFile(body: unknown): unknown {
  if (typeof body === 'object' && body !== null && Object.hasOwn(body, 'id_card')) {
    throw refuseField('id_card', 'file_invalid', 'id_card must be a file in multipart/form-data');
  }
  return body;
}

/** Takes only the fields about the person. */
function personalFields(body: FundingAccountBody): PersonalFields {
  const { email, first_name: firstName, last_name: lastName, phone_number: phone, bvn } = body;
  const { date_of_birth: dateOfBirth } = body;
  return {
    ...(email !== undefined && { email }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(phone !== undefined && { phone }),
    ...(bvn !== undefined && { bvn }),
    ...(dateOfBirth !== undefined && { dateOfBirth }),
  };
}

function envelope(account: FundingAccount): Static<typeof fundingAccountAnswer> {
  return {
    state: 'ok',
    result: {
      account_number: account.account?.number ?? null,
      account_name: account.account?.name ?? null,
      bank_name: account.account?.bankName ?? null,
      currency: account.currency,
      status: account.status,
      id_document_uploaded: account.documentUploaded,
      convenience_fee: formatAmount(account.convenienceFee),
    },
  };
}
