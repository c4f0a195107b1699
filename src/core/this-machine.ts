/**
 * Returns whether a host of a URL or a setting is a loopback address: traffic to it leaves no
 * machine.
 */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.[0-9]{1,3}){3}|::1|\[::1\])$/.test(host);
}
