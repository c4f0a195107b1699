/** Returns the path of a batch in the portal. */
export function batchPath(id: string): string {
  return `/bulk/${encodeURIComponent(id)}`;
}
