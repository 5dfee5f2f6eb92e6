import LastRequestEnvironment from '../last-request/environment.mjs';

let kept = null;

/**
 * One environment for the test files of a worker, of all projects (see runtime.mjs). Each gets real timers, and its
 * variables as the first one did.
 */
export default class SharedEnvironment extends LastRequestEnvironment {
  constructor(config, context) {
    const { globalConfig } = config;
    const hasOwnModules = 'own-modules' in context.docblockPragmas;
    // Watch mode needs the changed modules.
    const isShared = !hasOwnModules && !globalConfig.watch && !globalConfig.watchAll;
    if (isShared && kept) return kept;
    super(config, context);
    this.isShared = isShared;
    this.variables = { ...this.global.process.env };
    this.exit = this.global.process.exit;
    if (isShared) kept = this;
  }

  async teardown() {
    if (!this.isShared) return super.teardown();
    this.fakeTimersModern.useRealTimers();
    const { process } = this.global;
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.variables);
    // Jest wraps it for each file.
    process.exit = this.exit;
  }
}
