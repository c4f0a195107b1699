/** The dependencies of operations in a running gateway. */

import type { KeyObject } from 'node:crypto';
import type { Services } from '../backoffice/operations/services.ts';
import type { SignInServices } from '../backoffice/users/sign-in-parts.ts';
import { systemClock } from '../core/clock.ts';
import type { Sealer } from '../core/sealing.ts';
import { withCells } from '../db/in-each-cell.ts';
import type { FundingProvider } from '../funding/banks/funding-provider.ts';
import type { Funding } from '../funding/funding.ts';
import type { DeliveryChannel } from '../notifications/messages/destination.ts';
import { createAddressGuard, type UrlRules } from '../notifications/webhooks/address-guard.ts';
import type { Provider } from '../providers/provider.ts';
import type { Counter } from '../purchases/create/operations/buy-purchase.ts';
import type { Batches } from './batches.ts';
import type { Config } from './config.ts';
import { addressOfAudience } from './console-config.ts';
import type { Databases } from './open-databases.ts';
import type { Registries } from './registries.ts';

/** Represents all operators where connections are shared among merchants. */
const OPERATORS = 0;

export function gatewayServices(parts: {
  readonly config: Config;
  readonly databases: Databases;
  /** The cells, if they are on other servers. */
  readonly placed: readonly Databases[] | undefined;
  readonly registries: Registries;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly banks: ReadonlyMap<string, FundingProvider>;
  readonly sealer: Sealer;
  readonly pepper: KeyObject;
  readonly funding: Pick<Funding, 'openAccount'>;
  readonly batches: Pick<Batches, 'upload'>;
  readonly counter: Counter;
}): Services {
  const {
    config,
    databases,
    placed,
    registries,
    providers,
    banks,
    sealer,
    pepper,
    funding,
    batches,
    counter,
  } = parts;
  return {
    database: databases.work,
    reads: withCells(
      databases.readsOf(OPERATORS),
      placed?.map((on) => on.readsOf(OPERATORS)),
    ),
    clock: systemClock,
    pepper: () => Promise.resolve(pepper),
    sealer: () => Promise.resolve(sealer),
    ...registries,
    // They belong to the gateway and must stay open.
    openProviders: () => Promise.resolve({ providers, [Symbol.asyncDispose]: () => Promise.resolve() }),
    openBanks: () => Promise.resolve({ banks, [Symbol.asyncDispose]: () => Promise.resolve() }),
    approvalLimits: { correction: config.correctionLimit },
    signIn: signInServices(config),
    liveChannels: liveChannels(config),
    webhookRules: webhookRules(config),
    uploadBatch: batches.upload,
    counter,
    openFunding: (registrant, registration) => funding.openAccount(registrant, registration),
  };
}

export function signInServices({
  faces,
  smtp,
  profile,
}: Pick<Config, 'faces' | 'smtp' | 'profile'>): SignInServices {
  return {
    addresses: { console: addressOfAudience(faces.console), portal: addressOfAudience(faces.portal) },
    // In the demo e-mails become files.
    hasMail: smtp !== undefined || profile === 'demo',
  };
}

/** In the demo e-mails become files, and the simulator receives messages to phones. */
export function liveChannels({
  smtp,
  termii,
  profile,
}: Pick<Config, 'smtp' | 'termii' | 'profile'>): readonly DeliveryChannel[] {
  const isDemo = profile === 'demo';
  const hasWhatsapp = termii === undefined ? isDemo : termii.whatsappDevice !== undefined;
  return [
    ...(smtp !== undefined || isDemo ? (['email'] as const) : []),
    ...(termii !== undefined || isDemo ? (['sms'] as const) : []),
    ...(hasWhatsapp ? (['whatsapp'] as const) : []),
  ];
}

export function webhookRules({
  profile,
  webhookNetworks,
}: Pick<Config, 'profile' | 'webhookNetworks'>): UrlRules {
  const isDemo = profile === 'demo';
  return {
    guard: createAddressGuard({ allowed: webhookNetworks, allowsLoopback: isDemo }),
    isRelaxed: isDemo,
  };
}
