/** The theme: light or dark, by the system or by the user's choice. */

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'oja-theme';
const wantsDark = matchMedia('(prefers-color-scheme: dark)');

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme();
}

export function applyTheme(): void {
  const theme = chosenTheme();
  const isDark = theme === 'dark' || (theme === 'system' && wantsDark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

export function followSystemTheme(): void {
  wantsDark.addEventListener('change', applyTheme);
}
