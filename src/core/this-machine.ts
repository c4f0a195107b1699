/**
 * Returns whether a host of a URL or a setting is a loopback address, so that its traffic stays on
 * this machine.
 */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.[0-9]{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** Returns the host for a URL by which this machine reaches a listener on the address `host`. */
export function hostOnThisMachine(host: string): string {
  // These stand for every address.
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
