/** The services that operations use besides their transaction. */
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { ApprovalLimits } from '../../core/operation.ts';
import type { OnProgress } from '../../core/progress.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Database, Queries } from '../../db/database.ts';
import type { BankDefinition } from '../../funding/banks/bank-definition.ts';
import type { FundingProvider } from '../../funding/banks/funding-provider.ts';
import type { OpenFunding } from '../../funding/operations/open-funding.ts';
import type { PayInOverApi } from '../../funding/operations/try-deposit.ts';
import type { DeliveryChannel } from '../../notifications/messages/destination.ts';
import type { UrlRules } from '../../notifications/webhooks/address-guard.ts';
import type { Provider } from '../../providers/provider.ts';
import type { ProviderDefinition } from '../../providers/provider-definition.ts';
import type { UploadBatch } from '../../purchases/batches/operations/create-batch.ts';
import type { Counter } from '../../purchases/create/operations/buy-purchase.ts';
import type { BuyOverApi } from '../../purchases/create/operations/try-merchant-purchase.ts';
import type { SignInServices } from '../users/sign-in-parts.ts';

export type Services = {
  readonly database: Database;
  /** For read-only operations, which must not delay purchases. */
  readonly reads: Queries;
  readonly clock: Clock;
  /** The pepper of credential hashes. */
  readonly pepper: () => Promise<KeyObject>;
  /** Seals and opens encrypted fields with the gateway's keys. */
  readonly sealer: () => Promise<Sealer>;
  /** All providers, configured or not. */
  readonly providers: readonly ProviderDefinition[];
  /** All banks, configured or not. */
  readonly banks: readonly BankDefinition[];
  /** Opens the configured providers. */
  readonly openProviders: () => Promise<OpenProviders>;
  /** Opens the configured banks. */
  readonly openBanks: () => Promise<OpenBanks>;
  /** Reads files of this machine. Only on the command line. */
  readonly openFile?: (path: string) => AsyncIterable<Uint8Array>;
  /** Receives the progress of long operations, if a caller waits for it. */
  readonly onProgress?: OnProgress;
  readonly approvalLimits: ApprovalLimits;
  readonly signIn: SignInServices;
  /** The channels by which live messages can be sent to customers. */
  readonly liveChannels: readonly DeliveryChannel[];
  /** The rules for URLs of webhook endpoints. */
  readonly webhookRules: UrlRules;
  /** Opens a funding account at the bank. Absent if the caller cannot reach the bank. */
  readonly openFunding?: OpenFunding;
  /** Buys over the merchants' API, if it is reachable. */
  readonly buyOverApi?: BuyOverApi;
  /** Validates and stores a file of purchases. Only in a gateway. */
  readonly uploadBatch?: UploadBatch;
  /** Prices and buys for users of a merchant. Only in a gateway. */
  readonly counter?: Counter;
  /** Adds test funds over the merchants' API, if it is reachable. */
  readonly payInOverApi?: PayInOverApi;
};

/** Dispose of them to close connections that belong to the operation. */
type OpenProviders = AsyncDisposable & { readonly providers: ReadonlyMap<string, Provider> };

type OpenBanks = AsyncDisposable & { readonly banks: ReadonlyMap<string, FundingProvider> };
