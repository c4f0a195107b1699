/**
 * The e-mail addresses that Oja accepts: one plain address that fits into a mail header as it is,
 * without a display name, a comment or a quoted part.
 */

const LENGTH_MAX = 254;
const LOCAL_PART_LENGTH_MAX = 64;
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** The last label begins with a letter and has two characters or more. */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$`);
const HOST = new RegExp(`^${LABEL}$`);

/** `ada@example.com` */
export function isEmail(text: string): boolean {
  const { localPart, domain } = split(text);
  return isLocalPart(localPart, text) && DOMAIN.test(domain);
}

/**
 * `ada@example.com` or, for a machine that sends its own mail, `oja@shop`; also with a name: `Shop
 * <ada@example.com>`.
 */
export function isSender(text: string): boolean {
  const [, named] = /^[^<>@\p{Cc}]*<([^<>]*)>$/u.exec(text) ?? [];
  const address = named ?? text;
  const { localPart, domain } = split(address);
  return isLocalPart(localPart, address) && (DOMAIN.test(domain) || HOST.test(domain));
}

function isLocalPart(localPart: string, address: string): boolean {
  return (
    address.length <= LENGTH_MAX && localPart.length <= LOCAL_PART_LENGTH_MAX && LOCAL_PART.test(localPart)
  );
}

function split(address: string): { readonly localPart: string; readonly domain: string } {
  const at = address.indexOf('@');
  return { localPart: address.slice(0, Math.max(at, 0)), domain: address.slice(at + 1) };
}
