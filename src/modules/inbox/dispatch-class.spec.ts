// SPDX-License-Identifier: Apache-2.0
import { classify, knownCommands } from './dispatch-class.js';

const commands = knownCommands({
  builtin: [
    { name: 'queue', aliases: ['q'] },
    { name: 'stop', aliases: [] },
    { name: 'status', aliases: [] },
    { name: 'new', aliases: ['reset'] },
  ],
  plugin: ['disk-usage'],
});

describe('[INB-7] classify', () => {
  it.each([
    ['hello', 'ordinary', 'hello'],
    ['/queue later', 'ordinary', 'later'],
    ['/q  later \n more ', 'ordinary', 'later \n more'],
    ['/Queue@bot later', 'ordinary', 'later'],
    ['/queue', 'control', '/queue'],
    ['/queue   ', 'control', '/queue   '],
    ['/stop', 'urgent_stop', '/stop'],
    ['/STOP now', 'urgent_stop', '/STOP now'],
    ['/status', 'control', '/status'],
    ['/reset', 'control', '/reset'],
    ['/disk_usage', 'control', '/disk_usage'],
    ['/nosuch x', 'ordinary', '/nosuch x'],
    ['/usr/bin', 'ordinary', '/usr/bin'],
  ])('takes %j for %s', (text, dispatchClass, body) => {
    expect(classify(text, commands, false)).toEqual({ dispatchClass, body });
  });

  it('takes a text for the answer while a question is open, but a path or an unknown word for what it is', () => {
    expect(classify('yes', commands, true).dispatchClass).toBe('control');
    expect(classify('/usr/bin', commands, true).dispatchClass).toBe('control');
    expect(classify('/nosuch', commands, true).dispatchClass).toBe('ordinary');
    expect(classify('/queue x', commands, true)).toEqual({ dispatchClass: 'ordinary', body: 'x' });
  });

  it('[D-12] leaves a command unclassified while no table is known', () => {
    expect(classify('/stop', null, false)).toEqual({ dispatchClass: 'unclassified', body: '/stop' });
    expect(classify('hello', null, false).dispatchClass).toBe('ordinary');
  });
});
