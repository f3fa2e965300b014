// SPDX-License-Identifier: Apache-2.0
import { answerRequest } from './server-requests.js';

describe('[BPP-6] requests of the server (bpp 4.7)', () => {
  it('stop_turn stops nothing and says so', () => {
    expect(answerRequest({ action: 'stop_turn', channel_id: 'ch_7' })).toEqual({ data: { aborted: false } });
  });

  it.each([{}, { channel_id: '' }, { channel_id: 7 }, { channel_id: null }])(
    'stop_turn without a usable channel: %j',
    (rest) => {
      expect(answerRequest({ action: 'stop_turn', ...rest })).toEqual({ error: 'stop_turn_channel_id_invalid' });
    },
  );

  it.each(['binding_id', 'native_session_id', 'connection_generation'])(
    'with %s: the session features are not there',
    (field) => {
      const error = { error: 'application_request_unsupported' };
      expect(answerRequest({ action: 'stop_turn', channel_id: 'ch_7', [field]: 'x' })).toEqual(error);
      expect(answerRequest({ action: 'interaction_response', [field]: null })).toEqual(error);
    },
  );

  it.each([
    'application_request',
    'message_delivery',
    'describe_session',
    'session_control',
    'session_observation',
    'normalized_activity_sync',
    'timeline_sync',
  ])('%s is not supported', (action) => {
    expect(answerRequest({ action })).toEqual({ error: 'application_request_unsupported' });
  });

  it.each([
    { action: 'read_file', path: '/etc/passwd' },
    { action: 'interaction_response' },
    { action: 'x' },
    { action: 7 },
    {},
  ])('%j has no handler', (data) => {
    expect(answerRequest(data)).toEqual({ error: 'no_server_request_handler' });
  });
});
