/** Which host a database URL names, as the driver reads it. */

/** Empty where the URL names none; for a socket, its folder. */
export function serverHost(databaseUrl: string): string {
  const { hostname, searchParams } = new URL(databaseUrl);
  return searchParams.get('host') || decodeURIComponent(hostname);
}
