// SPDX-License-Identifier: Apache-2.0
import { Module } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Telemetry } from '../../common/telemetry.js';
import { BorgeeChatServer } from './borgee/borgee-chat-server.js';
import { CHAT_SERVER, type ChatServer, INBOUND_HANDLER, type InboundHandler } from './chat-server.js';

/** The connection to the chat server. What it reads goes to the `INBOUND_HANDLER` that the inbox provides globally. */
@Module({
  providers: [
    {
      provide: CHAT_SERVER,
      inject: [INBOUND_HANDLER, Clock, Telemetry],
      useFactory: (handler: InboundHandler, clock: Clock, telemetry: Telemetry): ChatServer =>
        new BorgeeChatServer({ handler, clock, telemetry }),
    },
  ],
  exports: [CHAT_SERVER],
})
export class GatewayModule {}
