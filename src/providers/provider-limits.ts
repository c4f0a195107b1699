/**
 * Reads `OJA_PROVIDER_LIMITS`: `one=80,other=50@15` allows 80 calls at once to one provider, and to
 * the other 50 at once and 15 purchases a second. An absent limit has the connector's default.
 */
import type { SettingsReader } from '../core/settings-reader.ts';

/** The limits of each account at a provider, for the whole installation. */
export type ProviderLimits = {
  /** Purchases and queries at once. */
  readonly connectionsMax?: number;
  /** Purchases a second. 0: no limit. */
  readonly perSecond?: number;
};

const NAME = 'OJA_PROVIDER_LIMITS';
/** 1 to 1,000 calls at once, 0 to 9,999 a second, or both. */
const ENTRY = /^([a-z0-9-]+)=(?!$)([1-9][0-9]{0,2}|1000)?(?:@([0-9]{1,4}))?$/;
const FORM = 'providers with 1 to 1000 calls at once, @ and calls a second, or both, such as name=50@15';

export function readProviderLimits(
  read: SettingsReader,
  providers: readonly string[],
): ReadonlyMap<string, ProviderLimits> {
  const limits = new Map<string, ProviderLimits>();
  for (const entry of read.list(NAME, ENTRY, FORM)) {
    const [, provider, atOnce, perSecond] = ENTRY.exec(entry) ?? [];
    if (provider === undefined) continue;
    if (!providers.includes(provider))
      read.faults.push(`${NAME} names an unknown provider: use ${providers.join(', ')}`);
    if (limits.has(provider)) read.faults.push(`${NAME} names a provider twice`);
    limits.set(provider, {
      ...(atOnce !== undefined && { connectionsMax: Number(atOnce) }),
      ...(perSecond !== undefined && { perSecond: Number(perSecond) }),
    });
  }
  return limits;
}
