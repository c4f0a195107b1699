/** The token of a link, which is taken out of the address at once: no history keeps it. */
export function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return token;
}
