/** The addresses that a credential can be used from: IPv4 and IPv6 networks in CIDR notation. */
import { BlockList, isIP, isIPv4 } from 'node:net';

export type Cidr = { readonly address: string; readonly prefix: number };

/**
 * Reads `10.1.0.0/16`, `2001:db8::/32` or a single address. Undefined for anything else, also for a
 * network whose address has bits set beyond its prefix (`10.1.2.3/16`), which is ambiguous.
 */
export function parseCidr(text: string): Cidr | undefined {
  const match = /^([0-9a-fA-F.:]+)(?:\/(0|[1-9][0-9]{0,2}))?$/.exec(text);
  const address = match?.[1];
  if (address === undefined) return undefined;
  const version = isIP(address);
  if (version === 0) return undefined;
  const bits = version === 4 ? 32 : 128;
  const prefix = match?.[2] === undefined ? bits : Number(match[2]);
  if (prefix > bits) return undefined;
  return hostBitsAreZero(address, version, prefix) ? { address, prefix } : undefined;
}

/**
 * Checks addresses as a socket reports them. An IPv4 address in IPv6 notation counts as the IPv4
 * address.
 */
export function allowList(cidrs: readonly string[]): (ip: string) => boolean {
  if (cidrs.length === 0) return () => true;
  const allowed = new BlockList();
  for (const text of cidrs) {
    const cidr = parseCidr(text);
    // An unreadable entry allows no address; the other entries still count.
    if (cidr !== undefined) allowed.addSubnet(cidr.address, cidr.prefix, family(cidr.address));
  }
  return (ip) => {
    const address = ip.replace(/%.*$/, '');
    return isIP(address) !== 0 && allowed.check(address, family(address));
  };
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

function hostBitsAreZero(address: string, version: number, prefix: number): boolean {
  const [value, bits] = version === 4 ? [ipv4Value(address), 32] : [ipv6Value(address), 128];
  return (value & ((1n << BigInt(bits - prefix)) - 1n)) === 0n;
}

function ipv4Value(address: string): bigint {
  return address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function ipv6Value(address: string): bigint {
  // The URL parser writes every spelling, embedded IPv4 too, as groups of hexadecimal digits.
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = new Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}
