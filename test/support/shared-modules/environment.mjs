import LastRequestEnvironment from '../last-request/environment.mjs';

/** By the ids of their projects. */
const kept = new Map();

/** One environment for the test files of a worker (see runtime.mjs). Each gets its variables as the first one did. */
export default class SharedEnvironment extends LastRequestEnvironment {
  constructor(config, context) {
    const { globalConfig, projectConfig } = config;
    const hasOwnModules = 'own-modules' in context.docblockPragmas;
    // Who watches wants the changed modules.
    const isShared = !hasOwnModules && !globalConfig.watch && !globalConfig.watchAll;
    const former = kept.get(projectConfig.id);
    if (isShared && former) return former;
    super(config, context);
    this.isShared = isShared;
    this.variables = { ...this.global.process.env };
    this.exit = this.global.process.exit;
    if (isShared) kept.set(projectConfig.id, this);
  }

  async teardown() {
    if (!this.isShared) return super.teardown();
    const { process } = this.global;
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.variables);
    // Jest wraps it for each file.
    process.exit = this.exit;
  }
}
