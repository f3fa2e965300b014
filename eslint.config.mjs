// SPDX-License-Identifier: Apache-2.0
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const ENVIRONMENT = 'Only src/config reads the environment [SEC-3].';
const DATABASE = 'Only src/modules/inbox/store touches the database [QLT-4].';

/** Selectors that keep the environment inside src/config. */
const environmentRules = [
  { selector: "MemberExpression[object.name='process'][property.name='env']", message: ENVIRONMENT },
  { selector: "ImportSpecifier[imported.name='env']", message: ENVIRONMENT },
];

/** Selectors that keep transactions and repositories inside the store. */
const databaseRules = [
  { selector: "CallExpression[callee.property.name='transaction']", message: DATABASE },
  { selector: "CallExpression[callee.property.name='getRepository']", message: DATABASE },
];

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
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
    },
  },
  {
    files: ['src/**/*.ts', 'playground/**/*.ts'],
    ignores: ['src/config/**'],
    rules: { 'no-restricted-syntax': ['error', ...environmentRules, ...databaseRules] },
  },
  { files: ['src/config/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...databaseRules] } },
  { files: ['src/modules/inbox/store/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...environmentRules] } },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  { files: ['**/*.mjs'], extends: [tseslint.configs.disableTypeChecked], rules: { 'no-console': 'off', 'no-undef': 'off' } },
);
