// SPDX-License-Identifier: Apache-2.0
import { workerStore } from '../../support/store.js';
import { describeLedgerStore } from './store-conformance.js';

describeLedgerStore('SQLite in a worker thread', workerStore, { modelRuns: 5 });
