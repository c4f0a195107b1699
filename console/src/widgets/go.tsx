/** A link within the application. With a modifier key the browser follows it. */
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { inEnvironment, useEnvironment, useGoTo } from './environment.ts';

export function Go({
  to,
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { readonly to: string }) {
  const goTo = useGoTo();
  const environment = useEnvironment();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a {...rest} href={inEnvironment(to, environment)} onClick={follow}>
      {children}
    </a>
  );
}

/** Returns the path of a purchase by its internal reference. */
export function purchasePath(id: string): string {
  return `/purchases/${encodeURIComponent(id)}`;
}

export function merchantPath(code: string): string {
  return `/merchants/${encodeURIComponent(code)}`;
}

export function approvalPath(id: string): string {
  return `/approvals/${encodeURIComponent(id)}`;
}

export function taskPath(id: string): string {
  return `/work/tasks/${encodeURIComponent(id)}`;
}
