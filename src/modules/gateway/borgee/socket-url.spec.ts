// SPDX-License-Identifier: Apache-2.0
import { socketUrl } from './socket-url.js';

describe('[HST-9] address of the socket (bpp 1.1)', () => {
  it.each([
    ['https://Chat.Example.com/', false, 'wss://chat.example.com/ws/plugin'],
    ['https://chat.example.com:8443', false, 'wss://chat.example.com:8443/ws/plugin'],
    ['https://chat.example.com:443', true, 'wss://chat.example.com/ws/plugin'],
    ['http://[::1]:3000', true, 'ws://[::1]:3000/ws/plugin'],
    ['http://127.0.0.1:3000', true, 'ws://127.0.0.1:3000/ws/plugin'],
    ['http://127.8.9.1', true, 'ws://127.8.9.1/ws/plugin'],
    ['http://localhost:80', true, 'ws://localhost/ws/plugin'],
  ])('%s with the flag %s is %s', (baseUrl, flag, url) => {
    expect(socketUrl(baseUrl, flag)).toBe(url);
  });

  it.each([
    ['http://127.0.0.1:3000', false],
    ['http://example.com', true],
    ['http://192.168.0.7', true],
    ['http://127.0.0.1.example', true],
    ['wss://x', true],
    ['https://a:b@x', true],
    ['https://x/p', true],
    ['https://x?q=1', true],
    ['https://x#f', true],
    ['https://x:port', true],
    ['', true],
  ])('%s with the flag %s is refused by the name of its key', (baseUrl, flag) => {
    expect(() => socketUrl(baseUrl, flag)).toThrow(/key=base_url/);
  });
});
