/**
 * Who this gateway buys from and banks with: providers, their callbacks and the banks of funding accounts, made from the settings. Part of the
 * composition root. In the demo profile the simulator stands in for accounts that are not configured.
 */
import type { FundingProvider } from '../banks/funding-provider.ts';
import { createMonnify } from '../banks/monnify/connector.ts';
import { createPaystack } from '../banks/paystack/connector.ts';
import { createSandboxBank } from '../banks/sandbox/connector.ts';
import type { Database } from '../db/database.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Environment } from '../kernel/environment.ts';
import { parseEsimAccessCallback } from '../providers/esimaccess/callback.ts';
import { createEsimAccess } from '../providers/esimaccess/connector.ts';
import { parseNombaCallback } from '../providers/nomba/callback.ts';
import { createNomba } from '../providers/nomba/connector.ts';
import type { Provider } from '../providers/provider.ts';
import { parseReloadlyCallback } from '../providers/reloadly/callback.ts';
import { createReloadly } from '../providers/reloadly/connector.ts';
import { createSandbox } from '../providers/sandbox/connector.ts';
import { createVtpass } from '../providers/vtpass/connector.ts';
import { parseVtpassCallback } from '../providers/vtpass/mapping.ts';
import type {
  Config,
  EsimAccessConfig,
  MonnifyConfig,
  NombaConfig,
  PaystackConfig,
  ReloadlyConfig,
  VtpassConfig,
} from './config.ts';

/** By name in lower case, as Node has them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The providers of a gateway with these settings, without the gateway: for commands that ask one. In the demo profile those
 * without settings are the simulator that runs beside it.
 */
export async function openProviders(
  config: Config,
): Promise<AsyncDisposable & { readonly providers: ReadonlyMap<string, Provider> }> {
  await using stack = new AsyncDisposableStack();
  const beside = config.simulatorUrl ?? `http://127.0.0.1:${config.simulatorPort}`;
  const upstreams = chooseUpstreams(config, config.profile === 'demo' ? beside : undefined);
  const providers = createProviders(config, upstreams, stack);
  const owned = stack.move();
  return { providers, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The upstream accounts of this gateway. */
type Upstreams = {
  readonly vtpass: VtpassConfig | undefined;
  readonly nomba: NombaConfig | undefined;
  readonly reloadly: ReloadlyConfig | undefined;
  readonly esimaccess: EsimAccessConfig | undefined;
};

/** The simulator stands in for those that are not configured; without one they are left out. */
export function chooseUpstreams(
  { vtpass, nomba, reloadly, esimaccess, notFoundGraceMs }: Config,
  simulatorUrl: string | undefined,
): Upstreams {
  if (simulatorUrl === undefined) return { vtpass, nomba, reloadly, esimaccess };
  return {
    vtpass: vtpass ?? simulatedVtpass(simulatorUrl),
    nomba: nomba ?? { ...simulatedNomba(simulatorUrl), notFoundGraceMs },
    reloadly: reloadly ?? { ...simulatedReloadly(simulatorUrl), notFoundGraceMs },
    esimaccess: esimaccess ?? { ...simulatedEsimAccess(simulatorUrl), notFoundGraceMs },
  };
}

export function createProviders(
  { notFoundGraceMs }: Config,
  { vtpass, nomba, reloadly, esimaccess }: Upstreams,
  stack: AsyncDisposableStack,
): ReadonlyMap<string, Provider> {
  const providers: Provider[] = [createSandbox({ notFoundGraceMs: Math.min(notFoundGraceMs, 15_000) })];
  // A call that waits for a connection is bounded by its deadline alone: purchases are refused at the door, not here.
  const waitingMax = 10_000;
  if (vtpass !== undefined) {
    const { contactPhone, ...account } = vtpass;
    const phone = contactPhone === undefined ? {} : { contactPhone };
    providers.push(createVtpass({ ...account, ...phone, notFoundGraceMs, waitingMax }));
  }
  if (nomba !== undefined) {
    const { subAccountId, ...account } = nomba;
    const payer = subAccountId === undefined ? {} : { subAccountId };
    providers.push(createNomba({ ...account, ...payer, waitingMax }));
  }
  if (reloadly !== undefined) providers.push(createReloadly({ ...reloadly, waitingMax }));
  if (esimaccess !== undefined) providers.push(createEsimAccess({ ...esimaccess, waitingMax }));
  return new Map(providers.map((provider) => [provider.name, stack.use(provider)]));
}

/** Who tells the balances of MTN lines. In the demo the sandbox stands in where no live provider can. */
export function chooseLineKeepers(
  providers: ReadonlyMap<string, Provider>,
  isDemo: boolean,
): ReadonlyMap<Environment, Provider> {
  const sandbox = providers.get('sandbox');
  const real = [...providers.values()].find(
    (provider) => provider !== sandbox && provider.mtnBalances !== undefined,
  );
  const live = real ?? (isDemo ? sandbox : undefined);
  return new Map([
    ...(sandbox ? [['test', sandbox] as const] : []),
    ...(live ? [['live', live] as const] : []),
  ]);
}

type CallbackReader = (
  body: unknown,
  headers: Headers,
  raw: string,
) => { readonly reference: string } | undefined;

export function createCallbackReaders({
  vtpass,
  nomba,
  reloadly,
  esimaccess,
}: Upstreams): ReadonlyMap<string, CallbackReader> {
  const readers = new Map<string, CallbackReader>();
  const key = nomba?.signatureKey;
  const signingSecret = reloadly?.signingSecret;
  if (vtpass !== undefined) readers.set('vtpass', parseVtpassCallback);
  if (esimaccess !== undefined) readers.set('esimaccess', parseEsimAccessCallback);
  if (key !== undefined) readers.set('nomba', (body, headers) => parseNombaCallback(body, headers, key));
  if (signingSecret !== undefined) {
    readers.set('reloadly', (body, headers, raw) =>
      parseReloadlyCallback({ raw, body, headers }, signingSecret, systemClock.now()),
    );
  }
  return readers;
}

/** By name. The sandbox bank serves test credentials; the others are there when configured, or simulated. */
export function createBanks(
  { monnify, paystack }: Config,
  database: Database,
  simulatorUrl: string | undefined,
  stack: AsyncDisposableStack,
): ReadonlyMap<string, FundingProvider> {
  const simulated = simulatorUrl === undefined ? undefined : simulatedBanks(simulatorUrl);
  const banks = [createSandboxBank(database)];
  const monnifySettings = monnify ?? simulated?.monnify;
  const paystackSettings = paystack ?? simulated?.paystack;
  if (monnifySettings !== undefined) banks.push(createMonnify(monnifySettings));
  if (paystackSettings !== undefined) banks.push(createPaystack(paystackSettings));
  return new Map(banks.map((bank) => [bank.name, stack.use(bank)]));
}

/** The simulator's accounts there; the keys protect nothing. */
function simulatedBanks(simulatorUrl: string): { monnify: MonnifyConfig; paystack: PaystackConfig } {
  return {
    monnify: {
      baseUrl: `${simulatorUrl}/monnify`,
      apiKey: 'MK_TEST_SIMULATOR',
      secretKey: 'simulator-monnify-secret',
      contractCode: '1000000001',
      preferredBanks: [],
      deadlineMs: 15_000,
    },
    paystack: {
      baseUrl: `${simulatorUrl}/paystack`,
      secretKey: 'sk_test_simulator',
      preferredBank: 'test-bank',
      deadlineMs: 15_000,
    },
  };
}

/** The simulator's account; the keys protect nothing. */
function simulatedVtpass(simulatorUrl: string): VtpassConfig {
  return {
    baseUrl: `${simulatorUrl}/vtpass/api`,
    apiKey: 'simulator-api-key',
    publicKey: 'PK_simulator',
    secretKey: 'SK_simulator',
    contactPhone: '08030000000',
    connectionsMax: 50,
    deadlineMs: 50_000,
  };
}

/** The same at the simulated Nomba. */
function simulatedNomba(simulatorUrl: string): Omit<NombaConfig, 'notFoundGraceMs'> {
  return {
    baseUrl: `${simulatorUrl}/nomba`,
    accountId: '00000000-0000-4000-8000-00000000a001',
    subAccountId: undefined,
    clientId: '00000000-0000-4000-8000-00000000c001',
    clientSecret: 'simulator-client-secret-0123456789abcdefghij',
    vendVersion: 'v1',
    payerName: 'Oja',
    signatureKey: 'simulator-signature-key',
    purchasesPerSecond: 0,
    connectionsMax: 50,
    deadlineMs: 50_000,
  };
}

/** The same at the simulated Reloadly. */
function simulatedReloadly(simulatorUrl: string): Omit<ReloadlyConfig, 'notFoundGraceMs'> {
  return {
    baseUrl: `${simulatorUrl}/reloadly`,
    authUrl: `${simulatorUrl}/reloadly`,
    clientId: 'simulator-client-id',
    clientSecret: 'simulator-reloadly-secret-0123456789abcdefghij',
    senderName: 'Oja',
    signingSecret: 'simulator-signing-secret',
    connectionsMax: 20,
    deadlineMs: 50_000,
  };
}

/** The same at the simulated eSIM Access. */
function simulatedEsimAccess(simulatorUrl: string): Omit<EsimAccessConfig, 'notFoundGraceMs'> {
  return {
    baseUrl: `${simulatorUrl}/esimaccess`,
    accessCode: 'simulator-access-code',
    secretKey: 'simulator-esimaccess-secret-0123456789abcdefghij',
    callsPerSecond: 0,
    connectionsMax: 20,
    deadlineMs: 50_000,
  };
}
