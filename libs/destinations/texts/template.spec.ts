import fc from 'fast-check';
import { fillTemplate, fillText, problemOfTemplate } from './template.js';

const roots = {
  event: { id: 'E1', at_ms: 1_767_323_045_678, price: 9.99, list: ['a', 'b'], nothing: null },
  customer: { attributes: { $email: 'Ada@example.com' }, status: 'active', entitlements: ['pro'] },
  revenue: null,
  kind: 'renewal',
  name: 'rc_renewal_event',
  destination: { name: 'My tool' },
};

describe('a template', () => {
  it.each<[unknown, unknown]>([
    ['{{event.price}}', 9.99],
    ['price {{event.price}}', 'price 9.99'],
    ['{{ event . price }}', null],
    ['{{ event.price }}', 9.99],
    ['{{event.list}}', ['a', 'b']],
    ['{{event.list.1}}', 'b'],
    ['list {{event.list}}', 'list ["a","b"]'],
    ['{{revenue}}', null],
    ['revenue: {{revenue}}.', 'revenue: .'],
    ['{{event.missing.deeper}}', null],
    ['{{customer.attributes.$email | lower}}', 'ada@example.com'],
    ['{{kind | upper}}', 'RENEWAL'],
    [
      '{{customer.attributes.$email | lower | sha256}}',
      'b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72',
    ],
    ['{{event.at_ms | iso}}', '2026-01-02T03:04:05.678Z'],
    ['{{event.at_ms | seconds}}', 1_767_323_045],
    ['{{event.price | string}}', '9.99'],
    ['{{event.list | json}}', '["a","b"]'],
    ['{{event.id | iso}}', null],
    ['{{revenue | json}}', null],
    ['{{destination.name}}', 'My tool'],
    ['{{event.__proto__}}', null],
    ['{{event.constructor.name}}', null],
    ['{{customer.attributes.toString}}', null],
    [{ a: ['{{kind}}', 1, true, null] }, { a: ['renewal', 1, true, null] }],
  ])('%j becomes %j', (template, filled) => {
    expect(fillTemplate(template, roots)).toEqual(filled);
  });

  it('never expands a value again', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const hostile = { ...roots, name: `{{event.id}}${text}$&` };
        expect(fillTemplate('{{name}}', hostile)).toBe(hostile.name);
        expect(fillText('<{{name}}>', hostile)).toBe(`<${hostile.name}>`);
      }),
    );
  });

  it.each<[unknown, RegExp | null]>([
    ['{{event}} {{name | lower | sha256}}', null],
    ['{{events}}', /no value "events"/],
    ['{{}}', /no value/],
    ['{{event | reverse}}', /no filter "reverse"/],
    ['{{event | constructor}}', /no filter "constructor"/],
    ['{{event', /placeholder/],
    [{ deep: ['{{nothing}}'] }, /no value/],
    ['x'.repeat(33_000), /32 kB/],
    [Array.from({ length: 501 }, () => 1), /500 values/],
    [JSON.parse('['.repeat(11) + ']'.repeat(11)), /10 levels/],
    [JSON.parse('['.repeat(10) + ']'.repeat(10)), null],
  ])('%j is checked when it is saved', (template, problem) => {
    const found = problemOfTemplate(template);
    if (problem) expect(found).toMatch(problem);
    else expect(found).toBeNull();
  });
});
