// SPDX-License-Identifier: Apache-2.0
export { ControlDeadlines } from './control-deadlines.js';
export { EffectiveSettings } from './effective-settings.js';
export { HermesAttachment } from './hermes-attachment.js';
export { HostEvents } from './host-events.js';
export { OutboxSender } from './outbox-sender.js';
export { RunsModule } from './runs.module.js';
export { HermesTurnRunner } from './turn-runner.js';
export { Watchdog } from './watchdog.js';
