/**
 * The settings of a connector to a provider or a bank. Each setting is declared once, with its
 * name, its kind, and how its value is read.
 */
import type { SettingsReader } from './settings-reader.ts';

/**
 * `secret` values are never shown. `account` values name the account, so another value may be
 * another account. The `address` is where the secrets are sent, and may be another account too.
 * `plain` values are neither.
 */
export type SettingKind = 'secret' | 'account' | 'address' | 'plain';

/** Whether another value may be another account. */
export function namesAccount(kind: SettingKind | undefined): boolean {
  return kind === 'account' || kind === 'address';
}

/** The kind of each setting, by the setting's name. */
export type SettingKinds = Readonly<Record<string, SettingKind>>;

type Setting<Value> = {
  /** The name as in `OJA_<CONNECTOR>_…`. */
  readonly name: string;
  readonly kind: SettingKind;
  /**
   * `required`: the account cannot be used without the value. `begins`: if the value is set, the
   * required ones must be set too.
   */
  readonly use: 'required' | 'begins' | 'optional';
  read(read: SettingsReader, name: string): Value;
};

/** A number that no setting of the account changes. */
type Constant = { constant(timeScale: number): number };

type Fields = Readonly<Record<string, Setting<unknown> | Constant>>;

type ValueOf<Declared> = Declared extends Setting<infer Value> ? Value : number;

/** The values of the declared settings, by field. A setting that may be undefined may be absent. */
type Values<Declared extends Fields> = {
  readonly [Field in keyof Declared as undefined extends ValueOf<Declared[Field]> ? never : Field]: ValueOf<
    Declared[Field]
  >;
} & {
  readonly [Field in keyof Declared as undefined extends ValueOf<Declared[Field]> ? Field : never]?: ValueOf<
    Declared[Field]
  >;
};

export type ConnectorSettings<Read> = {
  readonly kinds: SettingKinds;
  /**
   * Reads the settings of one account. Undefined if no required and no beginning setting is set.
   * Adds an error for each missing or malformed value.
   */
  readonly read: (read: SettingsReader) => Read | undefined;
};

/** The values that the settings of a connector are read as. */
export type ReadSettings<Settings extends ConnectorSettings<unknown>> =
  Settings extends ConnectorSettings<infer Read> ? Read : never;

/** Declares the settings of a connector. `title` is the upstream's name for people. */
export function connectorSettings<Declared extends Fields>(
  title: string,
  fields: Declared,
): ConnectorSettings<Values<Declared>> {
  const all = Object.values(fields).filter((one) => 'name' in one);
  const required = all.filter(({ use }) => use === 'required').map(({ name }) => name);
  return {
    kinds: Object.fromEntries(all.map(({ name, kind }) => [name, kind])),
    read: (read) => {
      const values = Object.entries(fields).map(([field, one]) => [
        field,
        'name' in one ? one.read(read, one.name) : one.constant(read.timeScale),
      ]);
      const begins = all.some(({ use, name }) => use === 'begins' && read.raw(name) !== undefined);
      const isSet = read.account(required, `other settings of ${title} are set`, begins);
      return isSet ? (Object.fromEntries(values) as Values<Declared>) : undefined;
    },
  };
}

/**
 * Declares a duration in milliseconds, which the time scale multiplies. `deadlineMs` is how long
 * the connector waits for a reply: at a provider less than the sync deadline of 60 s.
 */
export function scaledMs(ms: number): Constant {
  return { constant: (timeScale) => ms * timeScale };
}

/** Declares the default of a limit that `OJA_PROVIDER_LIMITS` can replace. */
export function limit(fallback: number): Constant {
  return { constant: () => fallback };
}

/** Declares an optional setting that is read by `read`. */
export function setting<Value>(
  name: string,
  kind: SettingKind,
  read: (read: SettingsReader, name: string) => Value,
): Setting<Value> {
  return { name, kind, use: 'optional', read };
}

/** Declares a text without which the account cannot be used. */
export function requiredSetting(name: string, kind: SettingKind = 'secret'): Setting<string> {
  return { name, kind, use: 'required', read: (read) => read.text(name, '') };
}

/** Declares a text that is undefined when it is not set. */
export function optionalSetting(name: string, kind: SettingKind): Setting<string | undefined> {
  return setting(name, kind, (read) => read.raw(name));
}

/** Declares the address of the upstream. */
export function baseUrlSetting(name: string, fallback: string): Setting<string> {
  return { ...setting(name, 'address', (read) => read.upstream(name) ?? fallback), use: 'begins' };
}
