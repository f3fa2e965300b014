// SPDX-License-Identifier: Apache-2.0
export * from './hermes-host.js';
export * from './link/protocol.js';
