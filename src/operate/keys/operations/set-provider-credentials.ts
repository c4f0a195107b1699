/**
 * Stores the credentials of a provider, sealed, instead of those in the gateways' environment, or
 * restores the previous ones. Running gateways use them within seconds without a restart; calls in
 * flight end with the old ones.
 *
 * Guarantees: no value is shown, logged or written to the audit log; invalid credentials are not
 * stored; the previous credentials stay sealed until the next change.
 */

import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import { accountField, accountOutput } from '../../../core/account-names.ts';
import { type ActorOrName, actorOf } from '../../../core/actor.ts';
import { namesAccount } from '../../../core/connector-settings.ts';
import { OperationError } from '../../../core/errors.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { forceField, inputOf } from '../../../core/operation-fields.ts';
import type { Sealer } from '../../../core/sealing.ts';
import { SettingsReader } from '../../../core/settings-reader.ts';
import type { Tx } from '../../../db/database.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import {
  type CredentialRow,
  type Fingerprints,
  findCredentials,
  hasUnsettledOrders,
  insertCredentials,
  lockCredentials,
} from '../../../providers/provider-credential-store.ts';
import type { CommonSettings, ProviderDefinition } from '../../../providers/provider-definition.ts';
import { requireProvider } from '../../../providers/require-provider.ts';
import {
  type CredentialValues,
  fingerprintsOf,
  openCredentials,
  sealCredentials,
} from '../provider-credentials.ts';

type Needs = Acting & {
  /** All providers, configured or not. */
  readonly providers: readonly ProviderDefinition[];
  readonly sealer: () => Promise<Sealer>;
  readonly pepper: () => Promise<KeyObject>;
};

type Keys = { readonly sealer: Sealer; readonly pepper: KeyObject };

type CredentialChange = {
  /** Values by name. An empty value removes the setting; other settings stay unchanged. */
  readonly values: CredentialValues;
  /** Allows another account although orders at this one are unsettled. */
  readonly force?: boolean | undefined;
};

export type StoredCredentials = {
  readonly version: number;
  /** Empty if only the gateways' environment is used. */
  readonly fingerprints: Fingerprints;
};

/**
 * Throws OperationError: `no_such_provider`, `credential_unknown`, `credentials_unfit`,
 * `secrets_for_address`, `provider_account_changes`, `credentials_unopened`.
 */
async function setCredentials(
  tx: Tx,
  keys: Keys,
  definition: ProviderDefinition,
  { values, force = false }: CredentialChange,
  actor: ActorOrName,
): Promise<StoredCredentials> {
  const known = Object.keys(definition.settings);
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown !== undefined || known.length === 0) {
    throw new OperationError({
      code: 'credential_unknown',
      provider: definition.name,
      name: unknown ?? '',
      known,
    });
  }
  await lockCredentials(tx, definition.name);
  const [present] = await findCredentials(tx, definition.name);
  const before = valuesOf(keys.sealer, present);
  const next = Object.fromEntries(
    Object.entries({ ...before, ...values }).filter(([, value]) => value !== ''),
  );
  requireSecretsAgain(definition, { before, values, next });
  requireFit(definition, next);
  if (!force) await requireSameAccount(tx, definition, before, next);
  return await store(tx, keys, { definition, present, values: next }, actor, 'set');
}

/**
 * Throws OperationError: `no_credentials_before`, `credentials_unopened`, `no_such_provider`,
 * `provider_account_changes`.
 */
async function restoreCredentials(
  tx: Tx,
  keys: Keys,
  definition: ProviderDefinition,
  { force = false }: Pick<CredentialChange, 'force'>,
  actor: ActorOrName,
): Promise<StoredCredentials> {
  await lockCredentials(tx, definition.name);
  const [present, previous] = await findCredentials(tx, definition.name);
  if (present === undefined) {
    throw new OperationError({ code: 'no_credentials_before', provider: definition.name });
  }
  // Before the first change, only the environment was used.
  const values = valuesOf(keys.sealer, previous);
  // Compared by fingerprints, because no key may open the present values.
  if (!force) {
    await requireSameAccount(tx, definition, present.fingerprints, previous?.fingerprints ?? {});
  }
  return await store(tx, keys, { definition, present, values }, actor, 'restore');
}

function valuesOf(sealer: Sealer, row: CredentialRow | undefined): CredentialValues {
  if (row === undefined) return {};
  const values = openCredentials(sealer, row);
  if (values === undefined) {
    throw new OperationError({ code: 'credentials_unopened', provider: row.provider });
  }
  return values;
}

async function store(
  tx: Tx,
  { sealer, pepper }: Keys,
  change: {
    readonly definition: ProviderDefinition;
    readonly present: CredentialRow | undefined;
    readonly values: CredentialValues;
  },
  actor: ActorOrName,
  verb: 'set' | 'restore',
): Promise<StoredCredentials> {
  const { definition, present, values } = change;
  const provider = definition.name;
  const version = (present?.version ?? 0) + 1;
  const fingerprints = fingerprintsOf(pepper, provider, values);
  await insertCredentials(tx, {
    provider,
    version,
    sealed: sealCredentials(sealer, { provider, version }, values),
    fingerprints,
    setBy: actorOf(actor).name,
  });
  await recordOperation(tx, {
    actor,
    action: `provider.${verb}_credentials`,
    subject: `provider:${provider}`,
    before: { version: present?.version ?? 0, fingerprints: present?.fingerprints ?? {} },
    after: { version, fingerprints },
  });
  return { version, fingerprints };
}

/**
 * Requires every stored secret again when the address changes. Otherwise anyone who may change the
 * address could receive secrets that they do not know.
 */
function requireSecretsAgain(
  { name: provider, settings }: ProviderDefinition,
  { before, values, next }: Readonly<Record<'before' | 'values' | 'next', CredentialValues>>,
): void {
  const isMoved = Object.entries(settings).some(
    ([name, kind]) => kind === 'address' && before[name] !== next[name],
  );
  const names = Object.keys(before).filter(
    (name) => settings[name] === 'secret' && values[name] === undefined,
  );
  if (isMoved && names.length > 0) throw new OperationError({ code: 'secrets_for_address', provider, names });
}

/** The credentials are for every gateway, whatever its own settings are. */
const ANY_GATEWAY: CommonSettings = {
  contactEmail: 'bills@shop.example',
  businessName: 'Oja',
  notFoundGraceMs: 0,
  timeScale: 1,
  providerLimits: new Map(),
};

/** Requires a complete and valid configuration of the account. No error quotes a value. */
function requireFit(definition: ProviderDefinition, values: CredentialValues): void {
  if (Object.keys(values).length === 0) return;
  // Keys are sent over the network, so URLs must be valid for production.
  const read = new SettingsReader({ ...values, OJA_PROFILE: 'production' });
  const configured = definition.read(read, ANY_GATEWAY);
  if (read.faults.length === 0 && configured !== undefined) return;
  const faults = read.faults.length > 0 ? read.faults : ['settings of the account are missing'];
  throw new OperationError({ code: 'credentials_unfit', provider: definition.name, faults });
}

/**
 * Refuses a change of the account while orders are unsettled: another account does not know them,
 * so delivered purchases would be refunded.
 */
async function requireSameAccount(
  tx: Tx,
  definition: ProviderDefinition,
  before: CredentialValues | Fingerprints,
  next: CredentialValues | Fingerprints,
): Promise<void> {
  const changed = Object.entries(definition.settings)
    .filter(([name, kind]) => namesAccount(kind) && before[name] !== next[name])
    .map(([name]) => name);
  if (changed.length === 0 || !(await hasUnsettledOrders(tx, definition.name))) return;
  throw new OperationError({ code: 'provider_account_changes', provider: definition.name, names: changed });
}

function definitionOf(providers: readonly ProviderDefinition[], name: string): ProviderDefinition {
  return requireProvider(
    providers.filter(({ isRemoved }) => !isRemoved),
    name,
  );
}

const providerField = accountField();

const output = Type.Object({
  provider: accountOutput,
  version: Type.Integer(),
  /** The fingerprint of each stored setting. Empty if only the environment is used. */
  fingerprints: Type.Record(Type.String(), Type.String()),
});

const value = Type.String({ maxLength: 4_000, pattern: '^[^\\p{Cc}]*$' });

export const setProviderCredentialsOperation = defineOperation({
  name: 'provider.set_credentials',
  kind: 'act',
  summary: 'store credentials of a provider, encrypted; gateways use them within seconds without a restart',
  roles: admins,
  route: 'PUT /providers/{provider}/credentials',
  document: 'operators/providers.md',
  input: inputOf({
    provider: providerField,
    values: Type.Record(Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,99}$' }), value, {
      description: 'settings of the provider by name; an empty value removes a setting',
      minProperties: 1,
      // The value is never shown.
      writeOnly: true,
    }),
    force: forceField,
  }),
  output,
  run: async ({ tx, actor, ...needs }: Needs, { provider, values, force }) => {
    const definition = definitionOf(needs.providers, provider);
    const keys = { sealer: await needs.sealer(), pepper: await needs.pepper() };
    return { provider, ...(await setCredentials(tx, keys, definition, { values, force }, actor)) };
  },
});

export const restoreProviderCredentialsOperation = defineOperation({
  name: 'provider.restore_credentials',
  kind: 'act',
  summary: 'restore the previous credentials of a provider; running it again undoes it',
  roles: admins,
  route: 'POST /providers/{provider}/credentials/restore',
  document: 'operators/providers.md',
  input: inputOf({ provider: providerField, force: forceField }),
  output,
  run: async ({ tx, actor, ...needs }: Needs, { provider, force }) => {
    const definition = definitionOf(needs.providers, provider);
    const keys = { sealer: await needs.sealer(), pepper: await needs.pepper() };
    return { provider, ...(await restoreCredentials(tx, keys, definition, { force }, actor)) };
  },
});
