// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { chooseTheme, keptTheme, type Theme } from '../theme/theme.js';
import { DarkIcon, LightIcon, SystemIcon } from './icons.js';

const CHOICES: readonly { readonly theme: Theme; readonly name: string; readonly Mark: () => VNode }[] = [
  { theme: 'system', name: 'System', Mark: SystemIcon },
  { theme: 'light', name: 'Light', Mark: LightIcon },
  { theme: 'dark', name: 'Dark', Mark: DarkIcon },
];

/** Colour scheme: the system's, light or dark. */
export function ThemeSwitch(): VNode {
  const [chosen, setChosen] = useState(keptTheme);
  return (
    <fieldset class="theme-switch">
      <legend class="visually-hidden">Colour scheme</legend>
      {CHOICES.map(({ theme, name, Mark }) => (
        <label key={theme} title={name}>
          <input
            type="radio"
            name="theme"
            value={theme}
            checked={chosen === theme}
            onChange={() => {
              chooseTheme(theme);
              setChosen(theme);
            }}
          />
          <Mark />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
