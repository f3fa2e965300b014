// SPDX-License-Identifier: Apache-2.0
import { environmentOnlyInConfig } from './environment-only-in-config.mjs';
import { databaseOnlyInStore } from './database-only-in-store.mjs';
import { ledgerOnlyStated } from './ledger-only-stated.mjs';
import { spdxHeader } from './spdx-header.mjs';
import { timeOnlyByClock } from './time-only-by-clock.mjs';

/** ESLint plugin with the rules of this house; each has a fixture in test/rules/fixtures/lint that breaks it [QLT-4]. */
export const house = {
  rules: {
    'database-only-in-store': databaseOnlyInStore,
    'environment-only-in-config': environmentOnlyInConfig,
    'ledger-only-stated': ledgerOnlyStated,
    'spdx-header': spdxHeader,
    'time-only-by-clock': timeOnlyByClock,
  },
};
