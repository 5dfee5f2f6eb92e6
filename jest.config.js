/** Native ES modules: node runs with --experimental-vm-modules (scripts/test.mjs sets it). */
const shared = {
  // Adds the last request of a failed test to its error.
  testEnvironment: '<rootDir>/test/support/shared-modules/environment.mjs',
  runtime: '<rootDir>/test/support/shared-modules/runtime.mjs',
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFiles: ['<rootDir>/test/support/property-seed.mjs'],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
};

/** Suites that need PostgreSQL share one embedded server; every test server clones the migrated template. */
const onDatabase = {
  ...shared,
  setupFiles: [...shared.setupFiles, '<rootDir>/test/support/late-notifications.mjs'],
  globalSetup: '<rootDir>/test/support/database/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/database/global-teardown.mjs',
};

export default {
  // One more than the two processors of CI: suites wait for PostgreSQL, browsers and other processes.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/long-suites-first.mjs',
  // Native modules are never freed within a worker; a fresh one is faster than a large one.
  workerIdleMemoryLimit: '1500MB',
  // Only what hangs gets that far, on a slow machine too.
  testTimeout: 300_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{libs,src,packages}/**/*.spec.ts', '<rootDir>/scripts/**/*.spec.mjs'],
    },
    {
      ...onDatabase,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts', '<rootDir>/test/contract/**/*.e2e-spec.ts'],
    },
    {
      ...onDatabase,
      displayName: 'import',
      testMatch: ['<rootDir>/test/operations/import/**/*.import-spec.ts'],
    },
    {
      ...onDatabase,
      displayName: 'citus',
      globalSetup: '<rootDir>/test/citus/global-setup.mjs',
      globalTeardown: '<rootDir>/test/citus/global-teardown.mjs',
      testMatch: ['<rootDir>/test/citus/**/*.citus-spec.ts'],
    },
    { ...onDatabase, displayName: 'browser', testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'] },
  ],
};
