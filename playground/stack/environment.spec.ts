// SPDX-License-Identifier: Apache-2.0
import { EnvironmentError, readEnvironment } from './environment.js';

describe('[PLY-1] the environment of bin/up', () => {
  it('uses the scripted model when none is named', () => {
    expect(readEnvironment({ PATH: '/bin' })).toEqual({ model: null, noColor: false });
  });

  it('takes a real model by its address', () => {
    const env = {
      MODEL_BASE_URL: 'https://models.example.com/v1/',
      MODEL_NAME: 'm',
      MODEL_API_KEY: 'k',
      NO_COLOR: '1',
    };
    const model = { baseUrl: 'https://models.example.com/v1', name: 'm', apiKey: 'k' };
    expect(readEnvironment(env)).toEqual({ model, noColor: true });
  });

  it('needs no key', () => {
    const env = { MODEL_BASE_URL: 'http://127.0.0.1:8080/v1', MODEL_NAME: 'm' };
    expect(readEnvironment(env).model?.apiKey).toBe('none');
  });

  it.each([
    ['MODEL_BASE_URL', { MODEL_NAME: 'm' }],
    ['MODEL_BASE_URL', { MODEL_BASE_URL: 'models.example.com', MODEL_NAME: 'm' }],
    ['MODEL_NAME', { MODEL_BASE_URL: 'https://models.example.com/v1' }],
  ])('names %s when it is missing or wrong', (name, env) => {
    expect(() => readEnvironment(env)).toThrow(EnvironmentError);
    expect(() => readEnvironment(env)).toThrow(name);
  });
});
