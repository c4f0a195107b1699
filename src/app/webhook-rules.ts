/** Where the settings let webhooks go. */
import { createAddressGuard } from '../webhooks/address-guard.ts';
import type { UrlRules } from '../webhooks/judge-url.ts';
import type { Config } from './config.ts';

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
