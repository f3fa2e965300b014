// SPDX-License-Identifier: Apache-2.0
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { renderMetricsDocs } from './metrics-docs.js';

/** Compiled, this file stands in dist/tools. */
const target = resolve(import.meta.dirname, '../../docs/metrics.md');

writeFileSync(target, renderMetricsDocs());
