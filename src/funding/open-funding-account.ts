/**
 * Returns a merchant's funding account in a currency, or opens one. The row of the account is
 * committed before the bank gets the request, under a reference derived from the merchant, so that
 * neither a crash nor a race opens a second account. A request that comes meanwhile waits for the
 * first one.
 *
 * A document is sealed and stored after the registration is validated, outside its transaction,
 * because sealing takes long and the transaction locks the merchant. The first document is kept.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../core/environment.ts';
import { GatewayError, invariant } from '../core/errors.ts';
import type { Currency } from '../core/money.ts';
import type { Tx } from '../db/database.ts';
import { constraintName } from '../db/database-errors.ts';
import { lockMerchant } from '../merchants/merchant-store.ts';
import type { AccountAnswer, FundingProvider } from './banks/funding-provider.ts';
import { bankRefused, type FundingAccount, notEnabled, toFundingAccount } from './funding-account.ts';
import {
  type AccountKey,
  type FundingAccountRow,
  findFundingAccount,
  markRequested,
  takeAccount,
} from './funding-account-store.ts';
import { type FundingDependencies, providerFor } from './funding-dependencies.ts';
import {
  hasDocument,
  insertDocument,
  isFundingEnabled,
  selectIdentity,
  upsertIdentity,
} from './identity-store.ts';
import { type BankQuestion, queryBank } from './query-bank.ts';
import { checkBirthday, completeRegistration, type Registrant, type Registration } from './registration.ts';
import { hashEmail, openIdentity, sealDocument, sealIdentity } from './sealed-identity.ts';

const WAIT_MS = 30_000;
const LOOK_MS = 150;

/**
 * Opens the account. Throws GatewayError. After `bank_silent` the registration is stored, and the
 * same request continues it.
 */
export async function openFundingAccount(
  dependencies: FundingDependencies,
  principal: Registrant,
  registration: Registration,
): Promise<FundingAccount> {
  checkBirthday(registration.fields.dateOfBirth, dependencies.clock.now());
  const key = {
    merchantId: principal.merchant.id,
    environment: principal.environment,
    currency: registration.currency,
  };
  const step = await prepare(dependencies, principal, key, registration);
  await storeDocument(dependencies, key, registration);
  if (step.kind === 'there') return await readAccount(dependencies, key);
  if (step.kind === 'wait') return await waitForOther(dependencies, key);
  refuseUnlessOpened(await queryBank(dependencies, step.question));
  return await readAccount(dependencies, key);
}

type Step =
  | { readonly kind: 'there' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'request'; readonly question: BankQuestion };

async function prepare(
  dependencies: FundingDependencies,
  principal: Registrant,
  key: AccountKey,
  registration: Registration,
): Promise<Step> {
  try {
    return await dependencies.database.transaction(async (tx) => {
      // Locking the merchant serialises its registrations in all processes.
      const merchant = await lockMerchant(tx, principal.merchant.code);
      invariant(merchant !== undefined, 'merchants are never deleted');
      if (!(await isFundingEnabled(tx, key, key.currency))) throw notEnabled(key.currency);
      const row = await findFundingAccount(tx, key);
      if (row?.status === 'active' || row?.status === 'pending') return { kind: 'there' };
      if (row?.being_requested) return { kind: 'wait' };
      return await register(dependencies, tx, principal, key, registration, row);
    });
  } catch (error) {
    if (constraintName(error) !== 'funding_accounts_customer_key') throw error;
    throw new GatewayError({ code: 'email_taken' });
  }
}

/** Stores the merchant's registration and that the account is requested. */
async function register(
  dependencies: FundingDependencies,
  tx: Tx,
  principal: Registrant,
  key: AccountKey,
  registration: Registration,
  row: FundingAccountRow | undefined,
): Promise<Step> {
  const known = await selectIdentity(tx, key);
  const before = known && openIdentity(dependencies.sealer, key, known.sealed);
  const fields = completeRegistration(registration, before);
  const walletId = principal.merchant.wallets.get(key.currency);
  if (walletId === undefined) throw new GatewayError({ code: 'no_wallet', currency: key.currency });
  const provider = providerOf(dependencies, key, row);
  await upsertIdentity(tx, key, {
    sealed: sealIdentity(dependencies.sealer, key, fields),
    bvnEnding: fields.bvn?.slice(-2),
  });
  const reference = row?.provider === provider.name ? row.reference : referenceOf(dependencies, key);
  await markRequested(tx, key, {
    walletId,
    provider: provider.name,
    reference,
    customerHash: provider.keyedByEmail
      ? hashEmail(dependencies.pepper, provider.name, fields.email)
      : undefined,
  });
  const account = await takeAccount(tx, key);
  // The background job is processing the account, or has just settled it.
  return account === undefined
    ? { kind: 'wait' }
    : { kind: 'request', question: { account, provider, fields } };
}

/**
 * Chooses the bank. A bank that may have the request is kept; only a refusal allows another one.
 */
function providerOf(
  dependencies: FundingDependencies,
  key: AccountKey,
  row: FundingAccountRow | undefined,
): FundingProvider {
  const requested = row?.status === 'requested' ? dependencies.providers.get(row.provider) : undefined;
  const provider = requested ?? providerFor(dependencies, key.environment, key.currency);
  if (provider === undefined || (row?.status === 'requested' && requested === undefined)) {
    throw new GatewayError({ code: 'no_bank', currency: key.currency });
  }
  return provider;
}

/**
 * Builds the reference of an account. It names the installation too, so that two installations at
 * one bank, such as a test copy and the original, never share accounts. The name comes from a
 * secret that never changes.
 */
export function referenceOf(
  { pepper }: Pick<FundingDependencies, 'pepper'>,
  { merchantId, environment, currency }: AccountKey,
): string {
  const installation = createHmac('sha256', pepper).update('installation').digest('hex').slice(0, 8);
  const prefixes: Record<Environment, string> = { live: '', test: 'test-' };
  return `oja-${installation}-${prefixes[environment]}${merchantId}-${currency satisfies Currency}`.toLowerCase();
}

async function storeDocument(
  { database, sealer }: FundingDependencies,
  key: AccountKey,
  { document }: Registration,
): Promise<void> {
  if (document === undefined || (await hasDocument(database, key))) return;
  await insertDocument(database, key, {
    mediaType: document.mediaType,
    keyId: sealer.keyId,
    sealed: await sealDocument(sealer, key, document.bytes),
  });
}

/** Waits for the outcome of another request, in this or another process. */
async function waitForOther(dependencies: FundingDependencies, key: AccountKey): Promise<FundingAccount> {
  const until = dependencies.clock.elapsedMs() + WAIT_MS;
  for (;;) {
    await sleep(LOOK_MS);
    const row = await findFundingAccount(dependencies.database, key);
    invariant(row !== undefined, 'a requested account has its row');
    if (row.status === 'active' || row.status === 'pending') return toFundingAccount(row);
    if (row.status === 'refused') throw refused(row.refusal ?? bankRefused);
    if (!row.being_requested) throw unavailable();
    if (dependencies.clock.elapsedMs() > until) {
      throw new GatewayError({ code: 'account_being_opened' });
    }
  }
}

function refuseUnlessOpened(answer: AccountAnswer): void {
  if (answer.kind === 'refused') throw refused(answer.message);
  if (answer.kind === 'unavailable') throw unavailable();
}

async function readAccount(dependencies: FundingDependencies, key: AccountKey): Promise<FundingAccount> {
  const row = await findFundingAccount(dependencies.database, key);
  invariant(row !== undefined, 'a requested account has its row');
  return toFundingAccount(row);
}

function refused(reason: string): GatewayError {
  return new GatewayError({ code: 'registration_refused', reason });
}

function unavailable(): GatewayError {
  return new GatewayError({ code: 'bank_silent' });
}
