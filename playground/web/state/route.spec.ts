// SPDX-License-Identifier: Apache-2.0
import { channelOf, hashOf } from './route.js';

describe('[PLY-1] the address of a channel', () => {
  it.each(['channel-general', 'a/b', 'é ?#', '%'])('%j leads back to itself', (id) => {
    expect(channelOf(hashOf(id))).toBe(id);
  });

  it.each(['', '#', '#/', '#general', '#/a/b', '#/%E0%A4%A'])('%j names none', (hash) => {
    expect(channelOf(hash)).toBeNull();
  });
});
