// Which colours to draw with, and whether things may move.

import type { Settings, Theme } from '../api/wire';

export interface SystemPreference {
  light: boolean;
  contrast: boolean;
}

export type DrawnTheme = 'dark' | 'light' | 'contrast';

export const THEMES: readonly { theme: Theme; title: string }[] = [
  { theme: 'system', title: 'System' },
  { theme: 'dark', title: 'Dark' },
  { theme: 'light', title: 'Light' },
  { theme: 'highContrast', title: 'High contrast' },
];

/** The system's wish counts as long as nobody chose. */
export function drawnTheme(theme: Theme | undefined, system: SystemPreference): DrawnTheme {
  switch (theme) {
    case 'dark':
    case 'light':
      return theme;
    case 'highContrast':
      return 'contrast';
    case 'system':
    case undefined:
      if (system.contrast) return 'contrast';
      return system.light ? 'light' : 'dark';
  }
}

export function applyTheme(
  root: HTMLElement,
  settings: Settings | null,
  system: SystemPreference,
): void {
  root.dataset['theme'] = drawnTheme(settings?.ui.theme, system);
  root.dataset['motion'] = settings?.ui.reducedMotion ? 'less' : 'system';
}
