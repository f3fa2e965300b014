// SPDX-License-Identifier: Apache-2.0

/** Largest frame of a client in bytes of UTF-8, every type but `response`; the server closes 1009 above it (bpp 1.3). */
export const MAX_CLIENT_FRAME_BYTES = 32_768;

/** Largest `response` frame of a client, bytes (bpp 1.3). */
export const MAX_RESPONSE_FRAME_BYTES = 131_072;

/** Largest `request` of the server that is worked on, bytes (bpp 1.3). */
export const MAX_REQUEST_FRAME_BYTES = 131_072;

/** Path of the socket below the origin (bpp 1.1). */
export const SOCKET_PATH = '/ws/plugin';

/** Version literal of the `connect` frame (bpp 1.4). */
export const PROTOCOL_VERSION = 'bpp-1';

/** Name under which a Hermes bridge introduces itself (bpp 6.1). */
export const PLUGIN_ID = 'hermes-borgee';

/** What a Hermes bridge says that it can do (bpp 1.4). */
export const CAPABILITIES: readonly string[] = ['semantic_action', 'inbound_message', 'read_file'];

/** Close code by which the server says that the key is refused or the agent disabled (bpp 1.7). */
export const CLOSE_KEY_REFUSED = 4004;
