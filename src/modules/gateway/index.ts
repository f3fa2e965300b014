// SPDX-License-Identifier: Apache-2.0
export * from './chat-server.js';
export { GatewayModule } from './gateway.module.js';
