// SPDX-License-Identifier: Apache-2.0
import { IsInt, Max } from 'class-validator';
import { AngeliaError, ErrorCode } from '../common/errors.js';
import { readInteger, readText } from './readers.js';
import { describeSettings, readSettings, Setting, UnreadableValue } from './setting.js';

class SampleSettings {
  @Setting({ key: 'name', description: 'A name.', expected: 'text', read: readText })
  name!: string;

  @Setting({
    key: 'level',
    description: 'A level.',
    unit: 'steps',
    expected: 'at most 3',
    default: 1,
    read: readInteger,
  })
  @IsInt()
  @Max(3)
  level!: number;

  @Setting({
    key: 'colour',
    description: 'A colour.',
    expected: 'a colour',
    defaultText: 'none',
    read: () => {
      throw new UnreadableValue('the name of a colour');
    },
  })
  colour?: string;
}

function read(raw: Record<string, unknown>): SampleSettings {
  return readSettings(SampleSettings, (key) => raw[key], 'sample.');
}

function failureOf(raw: Record<string, unknown>): AngeliaError {
  try {
    read(raw);
  } catch (error) {
    if (error instanceof AngeliaError) return error;
  }
  throw new Error('readSettings did not refuse the value');
}

describe('settings classes', () => {
  it('are filled from raw values and defaults', () => {
    expect(read({ name: ' a ' })).toEqual({ name: 'a', level: 1, colour: undefined });
    expect(read({ name: 'a', level: '2' }).level).toBe(2);
  });

  it.each([undefined, null, ''])('take %p for an absent key', (level) => {
    expect(read({ name: 'a', level }).level).toBe(1);
  });

  it('[QLT-3] describe their keys in the order of their declaration', () => {
    expect(describeSettings(SampleSettings).map(({ key, unit }) => [key, unit])).toEqual([
      ['name', undefined],
      ['level', 'steps'],
      ['colour', undefined],
    ]);
    expect(describeSettings(Date)).toEqual([]);
  });

  it.each([
    ['a required key that is absent', {}, 'sample.name', 'text (required)'],
    ['a raw value of the wrong kind', { name: 7 }, 'sample.name', 'text'],
    ['a value outside its rule', { name: 'a', level: 4 }, 'sample.level', 'at most 3'],
    ['a reader with a rule of its own', { name: 'a', colour: 'x' }, 'sample.colour', 'the name of a colour'],
  ])('name the key and the rule of %s', (_case, raw, key, expected) => {
    const error = failureOf(raw);
    expect(error.code).toBe(ErrorCode.ConfigInvalid);
    expect(error.details).toEqual({ key, expected });
  });

  it('[SEC-1] never repeat a value in an error', () => {
    const error = failureOf({ name: 'a', level: 'canary-4711' });
    expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('canary-4711');
  });

  it('let an unexpected error of a reader through', () => {
    class Broken {
      @Setting({
        key: 'k',
        description: 'd',
        expected: 'e',
        read: (): string => {
          throw new TypeError('broken reader');
        },
      })
      k!: string;
    }
    expect(() => readSettings(Broken, () => 'x')).toThrow(TypeError);
  });
});
