// SPDX-License-Identifier: Apache-2.0
import { Metrics, type MetricDescription } from '../src/modules/admin/index.js';

const HEAD = `# Metrics

This page is generated from \`src/modules/admin/metrics/metrics.ts\` by \`npm run docs\`; a test compares the two. \`GET /metrics\` shows the metrics in the text format of
Prometheus; [operations.md](operations.md) says how to fetch them and which alerts are worth having.

Counters begin anew with each start of the process. No label holds what people wrote; only the two metrics about model requests carry the lane.

| metric | type | what it says | labels |
| --- | --- | --- | --- |
`;

/** @returns the reference of all metrics, as it stands in docs/metrics.md (OPS-2) */
export function renderMetricsDocs(): string {
  return `${HEAD}${new Metrics().describe().map(renderMetric).join('')}`;
}

function renderMetric({ name, type, help, labels }: MetricDescription): string {
  const explained = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`);
  return `| \`${name}\` | ${type} | ${help} | ${explained.join('; ') || '-'} |\n`;
}
