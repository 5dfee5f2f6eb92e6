import { TestEnvironment } from 'jest-environment-node';

/** The tests of a file can change the time zone of their process with `setTimeZone`; its end restores it. */
export default class TimeZoneEnvironment extends TestEnvironment {
  #before = process.env.TZ;

  async setup() {
    await super.setup();
    // The `process.env` of tests is a copy, to which the clock of the process does not listen.
    this.global.setTimeZone = (zone) => {
      process.env.TZ = zone;
    };
  }

  async teardown() {
    if (this.#before === undefined) delete process.env.TZ;
    else process.env.TZ = this.#before;
    await super.teardown();
  }
}
