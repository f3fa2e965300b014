// SPDX-License-Identifier: Apache-2.0

/** What the switch offers: the scheme of the system, or one of the two. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'playground.theme';

/** The kept choice; the system's scheme where none was made or the browser forbids storage. */
export function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

/** Shows a scheme: `styles/tokens.css` reads the attribute. */
export function showTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

/** Shows a scheme and keeps the choice. */
export function chooseTheme(theme: Theme): void {
  showTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
  }
}
