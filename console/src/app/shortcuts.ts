/** Keyboard shortcuts that work on every screen, except while typing. */
import { useEffect } from 'react';

export const SEARCH_ID = 'search';

export const shortcuts: readonly (readonly [string, string])[] = [
  ['/', 'Go to search'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['?', 'Show keyboard shortcuts'],
  ['Esc', 'Close, or leave the field'],
];

export function useShortcuts(onHelp: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape' && isField(event.target)) (event.target as HTMLElement).blur();
      if (isField(event.target) || document.querySelector('[role="dialog"]') !== null) return;
      const run = actionOf(event.key, onHelp);
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}

function actionOf(key: string, onHelp: () => void): (() => void) | undefined {
  switch (key) {
    case '/':
      return () => document.getElementById(SEARCH_ID)?.focus();
    case 'j':
      return () => moveInRows(1);
    case 'k':
      return () => moveInRows(-1);
    case '?':
      return onHelp;
    default:
      return undefined;
  }
}

function moveInRows(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const here = rows.indexOf(document.activeElement as HTMLElement);
  const next = here === -1 ? 0 : Math.min(Math.max(here + by, 0), rows.length - 1);
  rows[next]?.focus();
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]');
}
