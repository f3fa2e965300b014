// SPDX-License-Identifier: Apache-2.0
export { AdminModule } from './admin.module.js';
export { adminHttpAdapter } from './api/admin-http.js';
export type { LaneAnswer, LaneDecisionAnswer, LanePage, PausesAnswer } from './api/lanes.dto.js';
export type { DecisionAnswer, ReceiptDetailAnswer, ReceiptPage } from './api/receipts.dto.js';
export type { HealthAnswer } from './health/health.dto.js';
export { Metrics, type MetricDescription } from './metrics/metrics.js';
export { OpenApi } from './openapi/openapi.js';
export { allOperations } from './openapi/operation.js';
