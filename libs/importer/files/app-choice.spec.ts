import { appChoice } from './app-choice.js';

const apps = [
  { id: 'app1', type: 'app_store' },
  { id: 'app2', type: 'play_store' },
  { id: 'app3', type: 'play_store' },
];

describe('the app of a store', () => {
  it('picks the only one of its type, or the one that a flag names', () => {
    expect(appChoice(apps, [])('app_store')).toBe('app1');
    expect(appChoice(apps, [])('play_store')).toBeNull();
    expect(appChoice(apps, [])('stripe')).toBeNull();
    expect(appChoice(apps, ['play_store=app3'])('play_store')).toBe('app3');
  });

  it.each([
    ['app3', '--app takes <store>=<app id>'],
    ['play_store=', '--app takes <store>=<app id>'],
    ['play_store=app9', 'the target has no app app9'],
    ['play_store=app1', 'app1 is an app of app_store'],
  ])('refuses %s', (flag, message) => {
    expect(() => appChoice(apps, [flag])).toThrow(message);
  });
});
