// SPDX-License-Identifier: Apache-2.0
import { keptTheme, showTheme } from './theme.js';

// Runs before the first paint, so that a chosen scheme never flashes in the other one.
showTheme(keptTheme());
