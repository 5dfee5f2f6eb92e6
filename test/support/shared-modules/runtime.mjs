import Runtime from 'jest-runtime';

const kept = new Map();

/** What Jest's test framework keeps of a file in the global object. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/**
 * Jest loads every module anew for each test file, which takes longer than most files' tests. Here a worker loads the
 * server once: the files that it runs share their modules, as the servers of one process do.
 */
export default class SharedRuntime extends Runtime {
  constructor(config, environment, ...others) {
    const former = kept.get(environment);
    if (former) {
      former.enterTestCode();
      return former;
    }
    super(config, environment, ...others);
    kept.set(environment, this);
  }

  teardown() {
    this.restoreAllMocks();
    // The framework itself is of one file.
    this.registries.internalModuleRegistry.clear();
    delete this._environment.global[EVENT_HANDLERS];
  }
}
