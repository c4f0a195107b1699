/**
 * Where the site will be served, from the setting `OJA_SITE_URL`. Without it a gateway serves it.
 */

export type Place = {
  /** Absent if unknown: then links are relative to the gateway. */
  readonly address: string | undefined;
  readonly origin: string | undefined;
  /** Its path, with slashes at both ends. */
  readonly base: string;
};

/** The path of `src/api/plumbing/register-guides.ts`. */
const GUIDES = '/guides/';

export function place(setting: string | undefined): Place {
  if (setting === undefined || setting === '') {
    return { address: undefined, origin: undefined, base: GUIDES };
  }
  const url = new URL(setting);
  const base = `${url.pathname.replace(/\/+$/, '')}/`;
  return { address: `${url.origin}${base}`, origin: url.origin, base };
}
