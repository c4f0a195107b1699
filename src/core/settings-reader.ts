/**
 * Reads settings from the variables of the process, for the gateway, its providers and its banks.
 */
import { isIP } from 'node:net';
import { isEmail, isSender } from './email.ts';
import { isThisMachine } from './this-machine.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads one setting at a time and collects the errors. Errors never quote a value, which may be a
 * secret.
 */
export class SettingsReader {
  readonly faults: string[] = [];
  /** The names that were read. */
  readonly names = new Set<string>();
  /** `OJA_TIME_SCALE`: durations are multiplied by it. */
  readonly timeScale: number;
  readonly #variables: Variables;

  constructor(variables: Variables) {
    this.#variables = variables;
    this.timeScale = this.#readTimeScale();
  }

  /** An empty value counts as absent. */
  raw(name: string): string | undefined {
    const value = this.#variables[name] || undefined;
    if (!this.names.has(name) && this.#variables[`${name}_FILE`]) {
      // A file that could be read has taken the place of the setting that names it.
      this.faults.push(
        value === undefined
          ? `${name}_FILE must name a file that this user can read`
          : `${name} and ${name}_FILE are both set: remove one`,
      );
    }
    this.names.add(name);
    return value;
  }

  require(name: string, what: string): void {
    if (this.raw(name) === undefined) this.faults.push(`${name} is required: ${what}`);
  }

  /**
   * Checks the settings of one account, all of which are needed. Returns false if none of them is
   * set and the account is not `begun` by another setting. Otherwise returns true, with an error
   * for each missing one.
   */
  account(names: readonly string[], what: string, begun: boolean): boolean {
    if (!begun && names.every((name) => this.raw(name) === undefined)) return false;
    for (const name of names) this.require(name, what);
    return true;
  }

  text(name: string, fallback: string): string {
    return this.raw(name) ?? fallback;
  }

  integer(name: string, fallback: number, { min, max }: { min: number; max: number }): number {
    const text = this.raw(name);
    if (text === undefined) return fallback;
    const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.faults.push(`${name} must be a whole number from ${min} to ${max}`);
    return fallback;
  }

  /** Reads a duration in milliseconds, scaled. A name that ends in `_S` is in seconds. */
  durationMs(name: string, fallback: number, range: { min: number; max: number }): number {
    const unitMs = name.endsWith('_S') ? 1_000 : 1;
    return Math.ceil(this.timeScale * unitMs * this.integer(name, fallback, range));
  }

  #readTimeScale(): number {
    const name = 'OJA_TIME_SCALE';
    const text = this.raw(name);
    if (text === undefined) return 1;
    const scale = /^(?:0?\.[0-9]{1,6}|1|1\.0+)$/.test(text) ? Number(text) : 0;
    if (this.raw('OJA_PROFILE') === 'production') this.faults.push(`${name} is not allowed in production`);
    else if (scale > 0) return scale;
    else this.faults.push(`${name} must be a number above 0 and at most 1`);
    return 1;
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    return this.optionalChoice(name, choices) ?? fallback;
  }

  optionalChoice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.raw(name);
    const found = choices.find((choice) => choice === text);
    if (text !== undefined && found === undefined)
      this.faults.push(`${name} must be one of ${choices.join(', ')}`);
    return found;
  }

  /** Separated by commas; empty if it is absent. */
  list(name: string, form: RegExp, what: string): string[] {
    const parts = (this.raw(name) ?? '').split(',').map((part) => part.trim());
    const given = parts.filter((part) => part !== '');
    if (!given.every((part) => form.test(part)))
      this.faults.push(`${name} must be ${what}, separated by commas`);
    return given;
  }

  mobileNumber(name: string): string | undefined {
    const text = this.raw(name);
    if (text === undefined || /^(?:0|\+?234)[789][01][0-9]{8}$/.test(text)) return text;
    this.faults.push(`${name} must be a Nigerian mobile number such as 08031234567`);
    return undefined;
  }

  emailAddress(name: string): string | undefined {
    const text = this.raw(name);
    if (text === undefined || isEmail(text)) return text;
    this.faults.push(`${name} must be an e-mail address such as bills@shop.example`);
    return undefined;
  }

  /** `Name <a@b.example>` or `a@b.example`. */
  mailAddress(name: string): string | undefined {
    const text = this.raw(name);
    if (text === undefined || isSender(text)) return text;
    this.faults.push(`${name} must be an e-mail address, for example Shop <cards@shop.example>`);
    return undefined;
  }

  networks(name: string): string[] {
    const networks = (this.raw(name) ?? '').split(',').map((part) => part.trim());
    const given = networks.filter((part) => part !== '');
    const wrong = given.filter(
      (part) => isIP(part.split('/')[0] ?? '') === 0 || !/^[^/]+(?:\/[0-9]{1,3})?$/.test(part),
    );
    if (wrong.length > 0) {
      this.faults.push(`${name} must be addresses or networks such as 10.0.0.0/8, separated by commas`);
    }
    return given;
  }

  /**
   * Reads the URL of another party's interface, to which keys are sent. In production `http:` is
   * accepted for this machine only.
   */
  upstream(name: string): string | undefined {
    const url = this.url(name, ['http:', 'https:']);
    if (url === undefined || this.raw('OJA_PROFILE') !== 'production' || !isOpenHttp(url)) return url;
    this.faults.push(`${name} must begin with https:// in production; http:// is for this machine only`);
    return undefined;
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const text = this.raw(name);
    if (text === undefined) return undefined;
    // A URL may contain a password, so the error does not quote it.
    if (protocols.some((protocol) => text.startsWith(`${protocol}//`)) && URL.canParse(text)) return text;
    this.faults.push(
      `${name} must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
    return undefined;
  }
}

function isOpenHttp(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && !isThisMachine(hostname);
}
