// SPDX-License-Identifier: Apache-2.0
export { AdminModule } from './admin.module.js';
export { adminHttpAdapter } from './api/admin-http.js';
export { Metrics, type MetricDescription } from './metrics/metrics.js';
export { OpenApi } from './openapi/openapi.js';
