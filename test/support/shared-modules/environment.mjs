import LastRequestEnvironment from '../last-request/environment.mjs';

const kept = new Map();

/** One environment for the test files of a worker (see runtime.mjs). A file gets what the first one got. */
export default class SharedEnvironment extends LastRequestEnvironment {
  constructor(config, context) {
    const former = kept.get(config.projectConfig.id);
    if (former) return former;
    super(config, context);
    this.variables = { ...this.global.process.env };
    this.exit = this.global.process.exit;
    kept.set(config.projectConfig.id, this);
  }

  async teardown() {
    const { process } = this.global;
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.variables);
    process.exit = this.exit;
  }
}
