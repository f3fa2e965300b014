// SPDX-License-Identifier: Apache-2.0
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { renderConfigDocs } from './config-docs.js';

/** Compiled, this file stands in dist/tools. */
const target = resolve(import.meta.dirname, '../../docs/configuration.md');

writeFileSync(target, renderConfigDocs());
