import { jestArguments } from './jest-arguments.mjs';

describe('arguments of npm test', () => {
  it.each([
    [[], ['--selectProjects', 'unit', 'e2e']],
    [['products'], ['products', '--selectProjects', 'unit', 'e2e']],
    [
      ['products', '--selectProjects', 'e2e'],
      ['products', '--selectProjects', 'e2e'],
    ],
    [
      ['--selectProjects', 'e2e', 'products', '--maxWorkers=1'],
      ['products', '--maxWorkers=1', '--selectProjects', 'e2e'],
    ],
    [
      ['--selectProjects', 'unit', 'browser'],
      ['--selectProjects', 'unit', 'browser'],
    ],
    [
      ['--selectProjects=browser', 'web-sdk'],
      ['web-sdk', '--selectProjects', 'browser'],
    ],
  ])('%j become %j', (args, expected) => {
    expect(jestArguments(args, '/home/me/checkout')).toEqual(expected);
  });

  it('chooses only files inside the checkout by a word that is also in its path', () => {
    const [pattern] = jestArguments(['webhooks'], '/home/me/tenure-webhooks');
    expect(pattern).toMatch(/webhooks$/);
    expect('test/e2e/webhooks.e2e-spec.ts').toMatch(new RegExp(pattern));
    expect('/home/me/tenure-webhooks/test/e2e/grants.e2e-spec.ts').not.toMatch(new RegExp(pattern));
  });
});
