// SPDX-License-Identifier: Apache-2.0
import { InlineLedgerStore } from '../../support/inline-ledger-store.js';
import { describeLedgerStore } from './store-conformance.js';

describeLedgerStore('SQLite in the same thread', (options) => new InlineLedgerStore(options), { modelRuns: 60 });
