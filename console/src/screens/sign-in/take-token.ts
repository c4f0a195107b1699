/** Returns the token of a link and removes it from the address and its history. */
export function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return token;
}
