/**
 * Whether a URL can be an endpoint. A name is not looked up here, since what it stands for can
 * change: it is judged at each connection. Pure.
 */
import { isIP } from 'node:net';
import type { Environment } from '../kernel/environment.ts';
import type { EndpointUrlFault } from '../kernel/request-fault.ts';
import type { AddressGuard } from './address-guard.ts';

const LENGTH_MAX = 2_000;
const ports = ['', '443', '8443'];
/** Names that stand for this machine or its neighbours, whatever a server of names says. */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)\.?$/i;

/** How much is allowed, beside the guard. */
export type UrlRules = {
  readonly guard: AddressGuard;
  /** As in the demo: `http:` and any port, and this machine itself. */
  readonly isRelaxed: boolean;
};

/** The URL in its normal form, or what is wrong with it. */
export function judgeUrl(
  text: string,
  environment: Environment,
  { guard, isRelaxed }: UrlRules,
): { readonly url: string } | { readonly fault: EndpointUrlFault } {
  const url = text.length <= LENGTH_MAX ? URL.parse(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return { fault: 'malformed' };
  if (url.username !== '' || url.password !== '') return { fault: 'malformed' };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAddress = isIP(host) !== 0;
  const isLocal = localNames.test(host) || !(isAddress || host.includes('.'));
  if (isAddress ? guard.forbids(host) : isLocal && !(isRelaxed && /^localhost$/i.test(host))) {
    return { fault: 'private' };
  }
  const isOwn = isRelaxed || (isAddress && guard.isListed(host));
  if (environment === 'live' && !isOwn) {
    if (url.protocol !== 'https:') return { fault: 'not_https' };
    if (!ports.includes(url.port)) return { fault: 'port' };
  }
  url.hash = '';
  return { url: url.href };
}
