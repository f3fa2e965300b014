// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import { workerStore } from '../../support/store.js';
import { describeLedgerStore } from './store-conformance.js';

// Every open starts a thread, and the machine may be busy.
jest.setTimeout(30_000);

describeLedgerStore('SQLite in a worker thread', workerStore, { modelRuns: 5 });
