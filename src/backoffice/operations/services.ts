/** What operations may need besides their transaction. Each asks for no more than it uses. */
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
import type { UrlRules } from '../../notifications/webhooks/address-guard.ts';
import type { Provider } from '../../providers/provider.ts';
import type { ProviderDefinition } from '../../providers/provider-definition.ts';
import type { BuyOverApi } from '../../purchases/create/operations/try-merchant-purchase.ts';
import type { SignInServices } from '../users/sign-in-parts.ts';

export type Services = {
  readonly database: Database;
  /** For questions, which wait for nobody and hold up no purchase. */
  readonly reads: Queries;
  readonly clock: Clock;
  /** The key of stored credential hashes: that of the gateway. */
  readonly pepper: () => Promise<KeyObject>;
  /** The keys of the gateway, for what is stored sealed. */
  readonly sealer: () => Promise<Sealer>;
  /** The providers there are, configured or not. */
  readonly providers: readonly ProviderDefinition[];
  /** The banks there are, configured or not. */
  readonly banks: readonly BankDefinition[];
  /** The providers that are configured, as the gateway's settings say. */
  readonly openProviders: () => Promise<OpenProviders>;
  /** The banks that are configured. */
  readonly openBanks: () => Promise<OpenBanks>;
  /**
   * Files of this machine, as they stream in; absent where an operation is asked for from
   * elsewhere.
   */
  readonly openFile?: (path: string) => AsyncIterable<Uint8Array>;
  /** Told how far long work is; absent where nobody waits for it. */
  readonly onProgress?: OnProgress;
  readonly approvalLimits: ApprovalLimits;
  /** Of the people who sign in. */
  readonly signIn: SignInServices;
  /** Where webhooks may go. */
  readonly webhookRules: UrlRules;
  /**
   * Opens a funding account, also by asking the bank; absent where an operation is asked for from
   * elsewhere.
   */
  readonly openFunding?: OpenFunding;
  /** Buys over the merchants' API; absent as the one above. */
  readonly buyOverApi?: BuyOverApi;
  /** Pays play money in over the merchants' API; absent as the one above. */
  readonly payInOverApi?: PayInOverApi;
};

/** Dispose of them to end their connections, where they are the operation's own. */
type OpenProviders = AsyncDisposable & { readonly providers: ReadonlyMap<string, Provider> };

type OpenBanks = AsyncDisposable & { readonly banks: ReadonlyMap<string, FundingProvider> };
