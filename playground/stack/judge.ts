// SPDX-License-Identifier: Apache-2.0
import { judgeEvidence } from './check.js';

/** Judges the evidence of a check again: `node dist/playground/stack/judge.js DIR`. Exit code 0 only if everything holds. */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Usage: judge.js DIR, the folder that bin/up --check --evidence DIR wrote\n');
  process.exitCode = 64;
} else {
  const report = judgeEvidence(folder);
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = report.holds ? 0 : 1;
}
