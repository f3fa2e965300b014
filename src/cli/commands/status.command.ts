// SPDX-License-Identifier: Apache-2.0
import { Command } from 'nest-commander';
import type { HealthAnswer } from '../../modules/admin/index.js';
import { BridgeCommand, type CommonOptions } from '../bridge-command.js';
import { EXIT } from '../exit-codes.js';
import { statusText } from '../views.js';

@Command({ name: 'status', description: 'say whether anything waits, and why; exit code 1 when something is red' })
export class StatusCommand extends BridgeCommand {
  override async run(_parameters: string[], options: CommonOptions): Promise<void> {
    const { body } = await this.client(options).ask<HealthAnswer>({ method: 'GET', path: '/api/v1/health' });
    this.print(options, body, statusText);
    if (body.status === 'red') this.result.exitCode = EXIT.refused;
  }
}
