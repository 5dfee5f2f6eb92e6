import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { nativeEnglish } from './scripts/lint/native-english.mjs';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      '.data/',
      'coverage/',
      'bench/results/',
      'libs/dashboard/src/api/schema.d.ts',
      'packages/node/dist/',
      'packages/node/src/generated/',
      'packages/node/src/.generated-*/',
    ],
  },
  {
    extends: [js.configs.recommended],
    rules: {
      // Text from outside is checked for control characters.
      'no-control-regex': 'off',
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
      globals: { ...globals.node },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/require-await': 'error',
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read the configuration (src/platform/config) instead.',
        },
        { object: 'Date', property: 'now', message: 'Use the injected clock.' },
      ],
      'max-lines': ['error', { max: 400, skipBlankLines: false }],
      eqeqeq: ['error', 'always'],
    },
  },
  {
    files: [
      'src/main.ts',
      'src/cli/context.ts',
      'src/cli/import.command.ts',
      'ormconfig.ts',
      'test/**',
      'libs/kernel/clock.ts',
      'bench/**',
      '**/*.spec.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Generated: one entry for each index.
    files: ['src/platform/database/schema/expected-indexes.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    // Answers of many shapes are read here; each was checked against the OpenAPI document before.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      'max-lines': ['error', { max: 1000 }],
    },
  },
  {
    files: ['libs/dashboard/src/**'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      // The browser's clock is the only one here.
      'no-restricted-properties': 'off',
      'max-lines': ['error', { max: 250 }],
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Customer data is hostile text: render it as text.',
        },
        {
          selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]',
          message: 'Customer data is hostile text: render it as text.',
        },
        {
          selector: "MemberExpression[object.name='window'][property.name='open']",
          message: 'Use a link.',
        },
      ],
      // Handlers of React may return promises that show their own errors.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      // The router throws its redirects.
      '@typescript-eslint/only-throw-error': 'off',
    },
  },
  {
    // No clock of the server reaches a client.
    files: ['packages/node/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    // Some functions run in the page of a browser, and some files are tests.
    languageOptions: { globals: { ...globals.node, ...globals.browser, ...globals.jest } },
  },
  {
    files: ['src/**', 'libs/**', 'packages/**', 'scripts/**', 'bench/**', 'test/**'],
    // Released migrations are not edited. The wording of the dashboard's pages is not settled yet.
    ignores: ['src/platform/database/migrations/**', 'libs/dashboard/src/**', 'scripts/lint/**'],
    plugins: { tenure: { rules: { 'native-english': nativeEnglish } } },
    rules: { 'tenure/native-english': 'error' },
  },
  prettier,
);
