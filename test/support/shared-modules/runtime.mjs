import Runtime from 'jest-runtime';

/** Modules by environment. */
const kept = new WeakMap();

/** Properties of the global object in which Jest keeps the state of a file. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/**
 * Jest loads every module anew for each test file, which takes longer than most files' tests. Here a worker loads the
 * server once: the files that it runs share their modules, as several servers of one process do. What looks at
 * everything that was loaded or noted by then says `@own-modules` in its first comment.
 */
export default class SharedRuntime extends Runtime {
  constructor(config, environment, ...others) {
    const former = kept.get(environment);
    if (former) {
      former.enterTestCode();
      return former;
    }
    super(config, environment, ...others);
    if (environment.isShared) kept.set(environment, this);
  }

  teardown() {
    if (!this._environment.isShared) return super.teardown();
    this.restoreAllMocks();
    // The framework itself is of one file.
    this.registries.internalModuleRegistry.clear();
    delete this._environment.global[EVENT_HANDLERS];
  }
}
