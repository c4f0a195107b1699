/**
 * Whether a host, as a URL or a setting names it, is this machine alone: what goes there is on no
 * network.
 */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.[0-9]{1,3}){3}|::1|\[::1\])$/.test(host);
}
