/**
 * Seals the settings of a provider and computes their fingerprints. Only someone with the pepper
 * can compare a fingerprint with a value.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { namesAccount } from '../../core/connector-settings.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Variables } from '../../core/settings-reader.ts';
import type { CredentialRow, Fingerprints } from '../../providers/provider-credential-store.ts';
import type { ProviderDefinition } from '../../providers/provider-definition.ts';

/** Values by the names of settings. Empty if only the gateways' environment is used. */
export type CredentialValues = Readonly<Record<string, string>>;

const FINGERPRINT_DIGITS = 8;

export function sealCredentials(
  sealer: Pick<Sealer, 'seal'>,
  { provider, version }: Pick<CredentialRow, 'provider' | 'version'>,
  values: CredentialValues,
): string {
  return sealer.seal(placeOf(provider, version), JSON.stringify(values));
}

/** Returns undefined if no key opens them. */
export function openCredentials(
  sealer: Pick<Sealer, 'open'>,
  { provider, version, sealed }: Pick<CredentialRow, 'provider' | 'version' | 'sealed'>,
): CredentialValues | undefined {
  const plain = sealer.open(placeOf(provider, version), sealed);
  return plain === undefined ? undefined : (JSON.parse(plain) as CredentialValues);
}

export function fingerprintsOf(pepper: KeyObject, provider: string, values: CredentialValues): Fingerprints {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      createHmac('sha256', pepper)
        .update(`provider_credentials/${provider}/${name}/${value}`)
        .digest('hex')
        .slice(0, FINGERPRINT_DIGITS),
    ]),
  );
}

/**
 * Returns a fingerprint of an account at a provider, by the settings that name it. Undefined if
 * only keys identify the account, because keys are rotated within one account.
 */
export function accountOf(
  pepper: KeyObject,
  { name: provider, settings }: Pick<ProviderDefinition, 'name' | 'settings'>,
  values: Variables,
): string | undefined {
  const names = Object.keys(settings).filter((name) => namesAccount(settings[name]));
  if (names.length === 0) return undefined;
  const named = names.sort().map((name) => [name, values[name] ?? '']);
  return createHmac('sha256', pepper)
    .update(`provider_account/${provider}/${JSON.stringify(named)}`)
    .digest('hex')
    .slice(0, FINGERPRINT_DIGITS);
}

/** Matches the SQL of `reseal-store.ts`. */
function placeOf(provider: string, version: number): string {
  return `provider_credentials/${provider}/${version}/sealed`;
}
