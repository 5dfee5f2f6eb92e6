import type { DestinationType } from '../definition.js';
import { definitionOf, definitions } from '../destinations.js';
import { changedEventNames, checkEventNames } from './event-names.js';

describe('the check of event names', () => {
  it.each<[DestinationType, unknown, string | null]>([
    ['segment', {}, null],
    ['segment', { renewal: 'Renewed', expiration: null }, null],
    ['segment', { renewal: '' }, 'event_names.renewal'],
    ['segment', { renewal: 'x'.repeat(256) }, 'event_names.renewal'],
    ['segment', { renewal: 'a\nb' }, 'event_names.renewal'],
    ['segment', { renewal: '$renewed' }, 'event_names.renewal'],
    ['amplitude', { renewal: '[Amplitude] Renewed' }, 'event_names.renewal'],
    ['segment', { renewal: true }, 'event_names.renewal'],
    ['segment', { transfer: 'Moved' }, 'event_names.transfer'],
    ['segment', { constructor: 'x' }, 'event_names.constructor'],
    ['segment', ['renewal'], 'event_names'],
    ['firebase', { renewal: 'renewed', transfer: 'moved' }, null],
    ['firebase', { renewal: 'ga_renewed' }, 'event_names.renewal'],
    ['firebase', { renewal: 'a name' }, 'event_names.renewal'],
    ['firebase', { renewal: 'x'.repeat(41) }, 'event_names.renewal'],
    ['meta', { renewal: 'Purchase' }, null],
    ['meta', { renewal: 'Renewed' }, 'event_names.renewal'],
    ['slack', { renewal: null, cancellation: true }, null],
    ['slack', { renewal: 'Renewed' }, 'event_names.renewal'],
    ['adjust', { renewal: 'abc123' }, 'event_names'],
    ['http', { renewal: 'renewed' }, 'event_names'],
  ])('in %s of %j finds %s', (type, names, param) => {
    expect(checkEventNames(definitionOf(type), names)?.param ?? null).toBe(param);
  });

  it('accepts every default name', () => {
    for (const definition of definitions.filter(({ category, id }) => category !== 'chat' && id !== 'adjust'))
      expect(checkEventNames(definition, definition.names)).toBeNull();
  });
});

it('stores only differences to the default names', () => {
  const names = { renewal: 'Renewed', expiration: null, cancellation: 'rc_cancellation_event' };
  expect(changedEventNames(definitionOf('segment'), names)).toEqual({ renewal: 'Renewed', expiration: null });
  expect(changedEventNames(definitionOf('slack'), { renewal: true, cancellation: null })).toEqual({
    cancellation: null,
  });
});
