import type { DestinationType } from './destinations.queries.js';
import { galleryGroups } from './gallery-groups.js';

const type = (name: string, category: DestinationType['category']) =>
  ({ name, category, description: `Sends events to ${name}.` }) as DestinationType;

const types = [type('Segment', 'analytics'), type('Slack', 'chat'), type('HTTP', 'http')];

const found = (search: string) =>
  galleryGroups(types, search).map((group) => [group.title, group.types.map(({ name }) => name)]);

describe('the gallery of destinations', () => {
  it('groups the types by category', () => {
    expect(found('')).toEqual([
      ['Analytics', ['Segment']],
      ['Chat', ['Slack']],
      ['Any tool', ['HTTP']],
    ]);
  });

  it('finds types by name, description and category, in any case', () => {
    expect(found(' SLACK ')).toEqual([['Chat', ['Slack']]]);
    expect(found('analytics')).toEqual([['Analytics', ['Segment']]]);
    expect(found('events to http')).toEqual([['Any tool', ['HTTP']]]);
    expect(found('nothing')).toEqual([]);
  });
});
