// SPDX-License-Identifier: Apache-2.0
export { AdminModule } from './admin.module.js';
