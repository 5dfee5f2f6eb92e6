import type { JsonObject } from '../../paywall.types.js';
import { schema } from '../testing/example.js';
import { componentTypes } from './document-schema.js';
import { fieldsOf } from './fields.js';
import { titleOf } from './titles.js';

const names = (type: string, group: string) =>
  fieldsOf(schema, type)
    .filter((field) => field.group === group)
    .map(({ name, kind }) => `${name}: ${kind}`);

describe('fieldsOf', () => {
  it('groups the properties of a text', () => {
    expect(names('text', 'Content')).toEqual(['name: text', 'text_lid: text_id', 'fallback: layer']);
    expect(names('text', 'Layout')).toEqual([
      'horizontal_alignment: choice',
      'size: size',
      'padding: spacing',
      'margin: spacing',
    ]);
    expect(names('text', 'Style')).toEqual([
      'font_name: font',
      'font_size: number_or_choice',
      'font_weight: choice',
      'font_weight_int: number',
      'color: color',
      'background_color: color',
    ]);
    expect(names('text', 'Behaviour')).toEqual(['visible: boolean']);
    expect(names('text', 'When')).toEqual(['overrides: overrides']);
  });

  it('has one field for the three properties of an icon', () => {
    expect(names('icon', 'Content')).toContain('icon_name: icon');
    expect(fieldsOf(schema, 'icon').map(({ name }) => name)).not.toContain('base_url');
  });

  it('leaves out ids, fixed values and lists that the layers show', () => {
    for (const type of [...componentTypes(schema), 'tab', 'timeline_item', 'sheet', 'base'])
      for (const { name } of fieldsOf(schema, type))
        expect(name).not.toMatch(/^(id|type|components|pages|items)$/);
  });

  it('has an editor for every property of every component', () => {
    const unknown = componentTypes(schema).flatMap((type) =>
      fieldsOf(schema, type).filter(({ kind }) => kind === 'scalar'),
    );
    expect(unknown).toEqual([]);
  });

  it('lists the properties of a type that the schema gains', () => {
    const rating: JsonObject = {
      title: 'Rating',
      properties: {
        type: { const: 'rating' },
        id: { $ref: '#/$defs/id' },
        stars: { type: 'integer', minimum: 1, maximum: 5, default: 5 },
        star_color: { $ref: '#/$defs/color_scheme' },
      },
      required: ['type', 'id', 'stars'],
    };
    const grown = { ...schema, $defs: { ...(schema.$defs as JsonObject), rating } };
    expect(fieldsOf(grown, 'rating').map(({ title, kind, group }) => [title, kind, group])).toEqual([
      ['Stars', 'number', 'Behaviour'],
      ['Star color', 'color', 'Style'],
    ]);
  });
});

it.each([
  ['font_size', 'Font size'],
  ['text_lid', 'Text'],
  ['ms_time_per_page', 'Time per page (ms)'],
  ['url', 'URL'],
  ['font_weight_int', 'Font weight (number)'],
])('names %s "%s"', (name, title) => {
  expect(titleOf(name)).toBe(title);
});
