/** What a command works with: the database, who runs it, and the time. */
import type { KeyObject } from 'node:crypto';
import type { BankDefinition } from '../banks/bank-definition.ts';
import type { Database } from '../db/database.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Sealer } from '../kernel/sealing.ts';
import type { Provider, ProviderFacts } from '../providers/provider.ts';

export type Session = {
  readonly database: Database;
  /** Who is named in the audit log. */
  readonly actor: Actor;
  readonly now: Date;
  /** The gateway's data folder on this machine; not there where the gateway runs elsewhere. */
  readonly dataDir: string;
  /** Where the demo's simulator is; undefined in production. */
  readonly simulatorUrl: string | undefined;
  /** The key of stored credential hashes: that of the gateway. */
  pepper(): Promise<KeyObject>;
  /** The keys of the gateway, for what is kept sealed. */
  sealer(): Promise<Sealer>;
  /** The providers there are, configured or not. */
  readonly providers: readonly ProviderFacts[];
  /** The banks there are, configured or not. */
  readonly banks: readonly BankDefinition[];
  /** The providers that are configured, as the gateway's settings say. */
  openProviders: OpenProviders;
};

/** Dispose of them to end their connections. */
export type OpenProviders = () => Promise<
  AsyncDisposable & { readonly providers: ReadonlyMap<string, Provider> }
>;
