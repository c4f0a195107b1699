/** Remembers the page to return to after signing in. It is never on another site. */

export function pathHere(): string {
  return `${location.pathname}${location.search}`;
}

export function signInPath(back: string): string {
  return isWithin(back) && back !== '/' ? `/sign-in?back=${encodeURIComponent(back)}` : '/sign-in';
}

export function backPath(): string {
  const back = new URLSearchParams(location.search).get('back') ?? '/';
  return isWithin(back) ? back : '/';
}

/** Whether the path is on this origin, unlike `//elsewhere`, `/\elsewhere` and URLs. */
function isWithin(path: string): boolean {
  if (!/^\/(?![/\\])/.test(path) || path.startsWith('/sign-in')) return false;
  return new URL(path, location.origin).origin === location.origin;
}
