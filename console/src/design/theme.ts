/** The theme, light or dark, and the density of lists, by the system or by the user's choice. */

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

const DENSITY_KEY = 'oja-density';

export function isCompact(): boolean {
  return localStorage.getItem(DENSITY_KEY) === 'compact';
}

/** Chooses the compact or the wide rows of lists. */
export function chooseCompact(isWanted: boolean): void {
  localStorage.setItem(DENSITY_KEY, isWanted ? 'compact' : 'comfortable');
  applyDensity();
}

export function applyDensity(): void {
  document.documentElement.dataset.density = isCompact() ? 'compact' : 'comfortable';
}
