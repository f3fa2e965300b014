// SPDX-License-Identifier: Apache-2.0
import { readAbsolutePath, readBoolean, readInteger, readListenAddress, readNumber, readText } from './readers.js';
import { UnreadableValue } from './setting.js';

describe('readers of raw values', () => {
  it('trims text and takes nothing else for it', () => {
    expect(readText(' ag_1 ')).toBe('ag_1');
    expect(() => readText(7)).toThrow(UnreadableValue);
  });

  it.each([true, 'true', 'TRUE', ' yes ', 'on', '1', 1])('%p is true', (raw) => {
    expect(readBoolean(raw)).toBe(true);
  });

  it.each([false, 'false', 'no', 'off', '0', 0, 'maybe', 2])('%p is false', (raw) => {
    expect(readBoolean(raw)).toBe(false);
  });

  it.each([[[]], [{}], [() => true]])('%p is no boolean', (raw) => {
    expect(() => readBoolean(raw)).toThrow(UnreadableValue);
  });

  it.each([
    [0.5, 0.5],
    ['30', 30],
    [' 1.5 ', 1.5],
    ['1e2', 100],
    ['.5', 0.5],
  ])('%p is the number %p', (raw, value) => {
    expect(readNumber(raw)).toBe(value);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 'NaN', 'Infinity', '', ' ', '0x10', '1,5', '5 s', true, null, []])(
    '%p is no number',
    (raw) => {
      expect(() => readNumber(raw)).toThrow(UnreadableValue);
    },
  );

  it.each([
    [4, 4],
    [4.9, 4],
    [' 12 ', 12],
    ['-3', -3],
  ])('%p is the whole number %p', (raw, value) => {
    expect(readInteger(raw)).toBe(value);
  });

  it.each(['4.9', '1e2', 'four', true, Number.NaN])('%p is no whole number', (raw) => {
    expect(() => readInteger(raw)).toThrow(UnreadableValue);
  });

  it.each([
    ['/srv/hermes/', '/srv/hermes'],
    ['/srv/../opt//hermes', '/opt/hermes'],
    ['/', '/'],
  ])('%p is the path %p', (raw, value) => {
    expect(readAbsolutePath(raw)).toBe(value);
  });

  it.each(['srv/hermes', '~/hermes', '', '/a\0b', 7])('%p is no absolute path', (raw) => {
    expect(() => readAbsolutePath(raw)).toThrow(UnreadableValue);
  });

  it.each([
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    [' 127.0.0.2:65535 ', { host: '127.0.0.2', port: 65_535 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
  ])('%p is the address %p', (raw, value) => {
    expect(readListenAddress(raw)).toEqual(value);
  });

  it.each([
    '127.0.0.1',
    ':80',
    '127.0.0.1:65536',
    '0.0.0.0:80',
    '10.0.0.1:80',
    'localhost:80',
    '[::]:80',
    '::1:80',
    '127.0.0.1:x',
    80,
  ])('[TST-2] %p is no loopback address to listen on', (raw) => {
    expect(() => readListenAddress(raw)).toThrow(UnreadableValue);
  });
});
