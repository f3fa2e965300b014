// SPDX-License-Identifier: Apache-2.0
export * from './hermes-host.js';
export { HermesModule } from './hermes.module.js';
export { LinkHermesHost } from './link/link-hermes-host.js';
export type { LinkHostOptions } from './link/link-options.js';
export * from './link/protocol.js';
