// SPDX-License-Identifier: Apache-2.0
import { canonicalOrigin, isLoopbackAddress, isLoopbackHost } from './origin.js';
import { UnreadableValue } from './setting.js';

describe('[HST-9] the origin of base_url', () => {
  it.each([
    ['https://Chat.Example.com/', 'https://chat.example.com'],
    ['  https://chat.example.com  ', 'https://chat.example.com'],
    ['HTTPS://chat.example.com', 'https://chat.example.com'],
    ['https://chat.example.com:8443', 'https://chat.example.com:8443'],
    ['https://chat.example.com:443/', 'https://chat.example.com'],
    ['https://chat.example.com:80', 'https://chat.example.com:80'],
    ['http://127.0.0.1:80', 'http://127.0.0.1'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
    ['https://xn--mnchen-3ya.example', 'https://xn--mnchen-3ya.example'],
    ['https://under_score.example', 'https://under_score.example'],
  ])('reads %s as %s', (raw, text) => {
    expect(canonicalOrigin(raw).text).toBe(text);
  });

  it.each([
    ['wss://chat.example.com', 'begins with https'],
    ['chat.example.com', 'begins with https'],
    ['', 'begins with https'],
    [42, 'begins with https'],
    ['https://user:word@chat.example.com', 'user name and password'],
    ['https://chat.example.com/path', 'without path'],
    ['https://chat.example.com//', 'without path'],
    ['https://chat.example.com?q=1', 'without path'],
    ['https://chat.example.com/#part', 'without path'],
    ['https://', 'with a host'],
    ['https://chat example.com', 'without path'],
    ['https://chat.example.com:', 'with a host'],
    ['https://chat.example.com:port', 'with a host'],
    ['https://chat.example.com:0', 'port from 1 to 65535'],
    ['https://chat.example.com:65536', 'port from 1 to 65535'],
    ['https://münchen.example', 'punycode'],
    ['https://[::1', 'with a host'],
    ['https://[1::2::3]', 'valid IPv6'],
    ['https://127.1', 'full IP address'],
    ['https://0x7f000001', 'full IP address'],
    ['https://256.0.0.1', 'full IP address'],
  ])('refuses %p and says why', (raw, rule) => {
    expect(() => canonicalOrigin(raw)).toThrow(UnreadableValue);
    expect(() => canonicalOrigin(raw)).toThrow(rule);
  });
});

describe('[HST-9] loopback means loopback', () => {
  it.each(['localhost', '127.0.0.1', '127.255.255.254', '[::1]', '::1'])('%s is loopback', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each([
    '127.0.0.1.example',
    'localhost.example',
    '10.0.0.1',
    '192.168.0.1',
    '169.254.0.1',
    '0.0.0.0',
    '128.0.0.1',
    '[::2]',
    '::',
  ])('%s is not', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });

  it('takes a name for no address', () => {
    expect(isLoopbackAddress('localhost')).toBe(false);
  });
});
