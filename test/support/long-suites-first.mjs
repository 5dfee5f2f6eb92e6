import Sequencer from '@jest/test-sequencer';

/** Suites of about half a minute and more: one of them started last would run alone. */
const LONG = [
  'every-page.browser-spec.ts',
  'hostile-text.browser-spec.ts',
  'stopping-early.e2e-spec.ts',
  'stores-down.e2e-spec.ts',
  'histories.spec.ts',
  'opening.browser-spec.ts',
  'customers.browser-spec.ts',
  'workers.e2e-spec.ts',
  'body-cost.e2e-spec.ts',
  'enterprise.browser-spec.ts',
  'webhooks.browser-spec.ts',
  'sign-in.browser-spec.ts',
  'organizations.browser-spec.ts',
  'store-account-owners.e2e-spec.ts',
  'api-fuzz.e2e-spec.ts',
  'command-line.e2e-spec.ts',
  'app-store-lifecycles.e2e-spec.ts',
  'start-failures.e2e-spec.ts',
  'store-setup.browser-spec.ts',
  'enterprise-licence.e2e-spec.ts',
  'path-tricks.browser-spec.ts',
  'overview.browser-spec.ts',
  'people.browser-spec.ts',
];

/** The long suites, then all others as Jest orders them. */
export default class LongSuitesFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((name) => path.endsWith(`/${name}`));
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
