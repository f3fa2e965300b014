// SPDX-License-Identifier: Apache-2.0

/** Transform and module rules that every Jest project of this repository shares. */
const shared = {
  cacheDirectory: '<rootDir>/.cache/jest',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/rules/fixtures/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.cache/'],
  setupFilesAfterEnv: ['<rootDir>/test/support/jest-setup.ts'],
};

/** One project per part of `bin/test`. */
const project = (displayName, testMatch) => ({ ...shared, displayName, testMatch });

export default {
  coverageProvider: 'v8',
  coverageReporters: ['json-summary'],
  // Entry points only compose and exit; the tests of the whole run them as processes.
  collectCoverageFrom: ['src/**/*.ts', 'playground/**/*.ts', '!**/*.spec.ts', '!playground/web/**', '!**/main.ts'],
  projects: [
    project('unit', [
      '<rootDir>/src/**/*.spec.ts',
      '<rootDir>/playground/**/*.spec.ts',
      '<rootDir>/tools/**/*.spec.ts',
    ]),
    project('rules', ['<rootDir>/test/rules/**/*.spec.ts']),
    project('conformance', ['<rootDir>/test/conformance/**/*.spec.ts']),
    project('e2e', ['<rootDir>/test/e2e/**/*.spec.ts']),
    project('faults', ['<rootDir>/test/faults/**/*.spec.ts']),
    project('browser', ['<rootDir>/test/browser/**/*.spec.ts']),
  ],
};
