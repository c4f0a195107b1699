/**
 * Decides which addresses a webhook may be sent to. A merchant must not reach addresses that only
 * this machine and its network can: internal services, and the metadata service of a cloud. Pure.
 *
 * Guarantees: an address is checked in the form that the network uses. Of IPv6, only global unicast
 * is allowed, without the ranges that map to IPv4 addresses.
 */

import { BlockList, isIP } from 'node:net';
import type { Environment } from '../../core/environment.ts';
import type { EndpointUrlFault } from '../../core/request-fault.ts';

const reserved4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's internal services answer each of its machines here.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const public6 = ['2000::/3'];
/** Ranges of 2000::/3 that are reserved or lead to an IPv4 address. */
const reserved6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const loopback = ['127.0.0.0/8', '::1/128'];

export type AddressGuard = {
  /** Returns whether the address is forbidden. True for text that is no address. */
  forbids(address: string): boolean;
  /** Returns whether the operator allowed the address explicitly. */
  isListed(address: string): boolean;
};

/** Creates a guard. `allowed` lists private networks, such as `10.1.0.0/16`, that may be called. */
export function createAddressGuard(options: {
  readonly allowed: readonly string[];
  readonly allowsLoopback: boolean;
}): AddressGuard {
  const allowed = listOf([...options.allowed, ...(options.allowsLoopback ? loopback : [])]);
  const [blocked4, open6, blocked6] = [listOf(reserved4), listOf(public6), listOf(reserved6)];
  const isListed = (text: string): boolean => {
    const address = plainAddress(text);
    return isIP(address) !== 0 && allowed.check(address, familyOf(address));
  };
  return {
    isListed,
    forbids(text) {
      const address = plainAddress(text);
      if (isIP(address) === 0) return true;
      if (isListed(address)) return false;
      if (isIP(address) === 4) return blocked4.check(address, 'ipv4');
      return !open6.check(address, 'ipv6') || blocked6.check(address, 'ipv6');
    },
  };
}

/**
 * Normalizes an address: removes the brackets of a URL and the zone, and turns IPv4-mapped IPv6
 * into IPv4.
 */
function plainAddress(text: string): string {
  const address = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(address) !== 6) return address;
  const dotted = /^(?:0{0,4}:){0,6}:?ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family);
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

const LENGTH_MAX = 2_000;
const ports = ['', '443', '8443'];
/** Names that are local for any DNS answer. */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)\.?$/i;

/** The rules for a URL. */
export type UrlRules = {
  readonly guard: AddressGuard;
  /** Allows `http:`, any port and this machine, as the demo does. */
  readonly isRelaxed: boolean;
};

/** Checks a URL: returns its normal form, or its error. */
export function checkUrl(
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
