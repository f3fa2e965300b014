// SPDX-License-Identifier: Apache-2.0
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { house } from './tools/eslint/house.mjs';

export default tseslint.config(
  { ignores: ['dist/**', 'coverage/**', '.cache/**', 'node_modules/**', 'test/rules/fixtures/**', 'bench/peer/**'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      // Nest declares its option bags as classes that nobody constructs.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      eqeqeq: 'error',
      'max-lines': ['error', 400],
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
    },
  },
  { plugins: { house }, rules: { 'house/spdx-header': 'error' } },
  {
    files: ['src/**/*.ts', 'playground/**/*.ts', 'tools/**/*.ts'],
    ignores: ['src/config/**', 'playground/stack/environment.ts'],
    rules: { 'house/environment-only-in-config': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/modules/inbox/store/**'],
    rules: { 'house/database-only-in-store': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'src/modules/inbox/store/**'],
    rules: { 'house/ledger-only-stated': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'src/common/clock.ts'],
    rules: { 'house/time-only-by-clock': 'error' },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off', 'no-console': 'off', 'no-undef': 'off' },
  },
);
