// SPDX-License-Identifier: Apache-2.0
import { checkActionPayload, checkSentMessageResult, checkUserResult } from './actions.js';

const legal: readonly (readonly [string, object])[] = [
  ['get_me', {}],
  ['send_message', { channel_id: 'c', content: '', reply_to_id: 'm' }],
  ['edit_message', { message_id: 'm', content: 'x' }],
  ['delete_message', { message_id: 'm' }],
  ['react', { message_id: 'm', emoji: '👍', removed: false }],
  ['create_dm', { user_id: 'u' }],
  ['create_task', { channel_id: 'c', title: 't' }],
  ['list_tasks', { guild_id: 'g' }],
  ['get_task', { task_id: 't' }],
  ['update_task', { task_id: 't', description: '' }],
  ['set_task_property', { task_id: 't', key: 'link.pr', value: '' }],
  ['delete_task_property', { task_id: 't', key: 'link.pr' }],
  ['list_task_property_definitions', {}],
  ['list_channel_files', { channel_id: 'c' }],
  ['list_channels', {}],
  ['list_zones', { guild_id: 'g', limit: 50, after: 'a-B_9' }],
  ['create_channel', { name: 'n', guild_id: 'g', parent_id: null }],
  ['update_channel', { channel_id: 'c' }],
  ['set_topic', { channel_id: 'c', topic: '' }],
  ['delete_channel', { channel_id: 'c' }],
  ['read_channel_history', { channel_id: 'c', limit: 20, after: 'm' }],
];

const illegal: readonly (readonly [string, object, string])[] = [
  ['get_me', { a: 1 }, 'a'],
  ['list_tasks', {}, ''],
  ['list_tasks', { guild_id: 'g', channel_id: 'c' }, ''],
  ['update_task', { task_id: 't' }, ''],
  ['list_zones', { guild_id: ' ' }, 'guild_id'],
  ['list_zones', { guild_id: 'g', limit: 0 }, 'limit'],
  ['list_zones', { guild_id: 'g', limit: 51 }, 'limit'],
  ['list_zones', { guild_id: 'g', after: null }, 'after'],
  ['create_channel', { name: 'n', guild_id: 'g' }, 'parent_id'],
  ['create_channel', { name: 'n', guild_id: 'g', parent_id: '' }, 'parent_id'],
  ['create_channel', { name: 'n', guild_id: 'g', parent_id: 'null' }, 'parent_id'],
  ['update_channel', { channel_id: 'c', parent_id: null }, 'parent_id'],
  ['delete_message', { message_id: null }, 'message_id'],
];

describe('[BPP-4] payloads of actions', () => {
  it.each(legal)('%s accepts %j', (action, payload) => {
    expect(checkActionPayload(action, JSON.stringify(payload))).toEqual({ status: 'ok', payload });
  });

  it.each(illegal)('%s refuses %j', (action, payload, field) => {
    expect(checkActionPayload(action, JSON.stringify(payload))).toMatchObject({
      status: 'invalid',
      problem: { field },
    });
  });

  it('tells an unknown action from a broken payload', () => {
    expect(checkActionPayload('fly', '{}')).toEqual({ status: 'unknown_action' });
    expect(checkActionPayload('fly', 'null')).toMatchObject({ status: 'invalid' });
  });
});

describe('[BPP-1] the user behind the key', () => {
  const user = { id: 'ag_1', display_name: 'Bot', role: 'agent', permissions: ['chat'] };

  it('accepts a user with unknown and null fields', () => {
    expect(checkUserResult({ ...user, email: null, disabled: false, later: 1 }).ok).toBe(true);
  });

  it.each([{ id: ' ' }, { role: 'owner' }, { permissions: [''] }, { created_at: -1 }, { disabled: 'no' }])(
    'refuses %j',
    (change) => {
      expect(checkUserResult({ ...user, ...change }).ok).toBe(false);
    },
  );
});

describe('[BPP-5] the id of a sent message', () => {
  it.each([null, {}, { message_id: 7 }, { message_id: '' }])('refuses %j', (value) => {
    expect(checkSentMessageResult(value).ok).toBe(false);
  });
});
