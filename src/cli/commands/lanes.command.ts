// SPDX-License-Identifier: Apache-2.0
import { Command, Option, SubCommand } from 'nest-commander';
import type { LaneDecisionAnswer, LanePage } from '../../modules/admin/index.js';
import { only, positive, withQuery } from '../arguments.js';
import { BridgeCommand, ReasonedCommand, type CommonOptions, type ReasonedOptions } from '../bridge-command.js';
import { decisionText, lanesText } from '../views.js';

interface LanesOptions extends CommonOptions {
  readonly stuck?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

@SubCommand({ name: 'discard', arguments: '<lane>', description: 'discard every quarantined receipt of a lane' })
export class LanesDiscardCommand extends ReasonedCommand {
  override async run(parameters: string[], options: ReasonedOptions): Promise<void> {
    const path = `/api/v1/lanes/${encodeURIComponent(only('LANE', parameters))}/discard`;
    const { reason } = options;
    const { body } = await this.client(options).ask<LaneDecisionAnswer>({ method: 'POST', path, body: { reason } });
    this.print(options, body, ({ decisions }) => decisions.map(decisionText).join(''));
  }
}

@Command({
  name: 'lanes',
  description: 'list the lanes in which something waits, runs or stands in the way',
  subCommands: [LanesDiscardCommand],
})
export class LanesCommand extends BridgeCommand {
  @Option({ flags: '--stuck', description: 'only lanes that wait for the operator' })
  parseStuck(): boolean {
    return true;
  }

  @Option({ flags: '--limit <count>', description: 'most lanes, 1 to 200' })
  parseLimit(value: string): number {
    return positive('--limit', value);
  }

  @Option({ flags: '--cursor <cursor>', description: 'the next page' })
  parseCursor(value: string): string {
    return value;
  }

  override async run(_parameters: string[], options: LanesOptions): Promise<void> {
    const { stuck, limit, cursor } = options;
    const path = withQuery('/api/v1/lanes', { stuck, limit, cursor });
    const { body } = await this.client(options).ask<LanePage>({ method: 'GET', path });
    this.print(options, body, lanesText);
  }
}
