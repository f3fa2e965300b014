// SPDX-License-Identifier: Apache-2.0
import type { ModelEndpoint } from './hermes-home.js';

/** What `bin/up` takes from its environment; nothing else of it is read or handed on. */
export interface UpEnvironment {
  /** A real model instead of the scripted one (`MODEL_BASE_URL`, `MODEL_NAME`, `MODEL_API_KEY`). */
  readonly model: ModelEndpoint | null;
  /** `NO_COLOR` is set: no colours even on a terminal. */
  readonly noColor: boolean;
}

/** The environment does not tell what is needed. */
export class EnvironmentError extends Error {
  /** @param sentence names the variable and what belongs there */
  constructor(sentence: string) {
    super(sentence);
    this.name = 'EnvironmentError';
  }
}

/**
 * Reads the environment of `bin/up`.
 * @param env the variables
 * @throws EnvironmentError when the model is named only in part
 */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): UpEnvironment {
  return { model: readModel(env), noColor: (env['NO_COLOR'] ?? '') !== '' };
}

function readModel(env: NodeJS.ProcessEnv): ModelEndpoint | null {
  const baseUrl = env['MODEL_BASE_URL']?.trim() ?? '';
  const name = env['MODEL_NAME']?.trim() ?? '';
  const apiKey = env['MODEL_API_KEY']?.trim() ?? '';
  if (baseUrl === '') {
    if (name === '' && apiKey === '') return null;
    throw new EnvironmentError('MODEL_BASE_URL is missing: the address of an OpenAI-compatible server with its /v1.');
  }
  if (!/^https?:\/\/\S+$/.test(baseUrl)) throw new EnvironmentError('MODEL_BASE_URL is no http or https address.');
  if (name === '') throw new EnvironmentError('MODEL_NAME is missing: the name of the model at MODEL_BASE_URL.');
  return { baseUrl: baseUrl.replace(/\/+$/, ''), name, apiKey: apiKey === '' ? 'none' : apiKey };
}
