/** A link within the application. With a modifier key the browser follows it. */
import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';

export function Go({
  to,
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { readonly to: string }) {
  const router = useRouter();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    router.history.push(to);
  };
  return (
    <a {...rest} href={to} onClick={follow}>
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
