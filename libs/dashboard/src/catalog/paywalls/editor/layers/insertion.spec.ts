import type { JsonObject, PaywallDocument } from '../../paywall.types.js';
import { changedDocument } from '../document/document-changes.js';
import { pathOf, pointerOf, valueAt } from '../document/json-path.js';
import { layerAt, layersOf } from '../schema/layers.js';
import { newLayer } from '../schema/new-value.js';
import { schema, screenWith } from '../testing/example.js';
import { insertionsAt } from './insertion.js';
import { type Direction, movePath } from './layer-moves.js';

const list = '/components_config/base/stack/components';
const text = (id: string): JsonObject => ({ type: 'text', id, text_lid: id });
const stack = (id: string, ...components: JsonObject[]): JsonObject => ({ type: 'stack', id, components });
const flat = screenWith([text('a'), stack('b', text('c'), text('d')), text('e')]);

const at = (document: PaywallDocument, pointer: string) => {
  const root = layersOf(schema, document);
  return { root, layer: layerAt(root, pathOf(pointer)) };
};

const places = (document: PaywallDocument, pointer: string) => {
  const { root, layer } = at(document, pointer);
  return insertionsAt(schema, root, layer, document).map(({ where, path }) => `${where} ${pointerOf(path)}`);
};

describe('insertionsAt', () => {
  it('adds inside a stack, or after it', () => {
    expect(places(flat, `${list}/1`)).toEqual([`inside ${list}/1/components/2`, `after ${list}/2`]);
  });

  it('adds after a component without a list', () => {
    expect(places(flat, `${list}/0`)).toEqual([`after ${list}/1`]);
  });

  it('adds to the stack of a button', () => {
    const { value } = newLayer(schema, 'button', { iconsUrl: 'https://a.example', packageIds: [] });
    expect(places(screenWith([value]), `${list}/0`)).toEqual([
      `inside ${list}/0/stack/components/1`,
      `after ${list}/1`,
    ]);
  });

  it('offers parts of tabs inside tabs only', () => {
    const { value } = newLayer(schema, 'tabs', { iconsUrl: 'https://a.example', packageIds: [] });
    const document = screenWith([value]);
    const typesAt = (pointer: string) => {
      const { root, layer } = at(document, pointer);
      return insertionsAt(schema, root, layer, document)[0]!.types;
    };
    expect(typesAt('/components_config/base/stack')).not.toContain('tab_control');
    expect(typesAt(`${list}/0`)).toEqual(['tab']);
    expect(typesAt(`${list}/0/tabs/0`)).toContain('tab_control');
  });
});

it.each<[string, Direction, string | null]>([
  ['/0', 'up', null],
  ['/0', 'down', 'b(c d) a e'],
  ['/2', 'up', 'a e b(c d)'],
  ['/2', 'in', 'a b(c d e)'],
  ['/0', 'in', null],
  ['/1/components/0', 'down', 'a b(d c) e'],
  ['/1/components/1', 'out', 'a b(c) d e'],
  ['/0', 'out', null],
])('moves %s %s', (pointer, direction, expected) => {
  const { root, layer } = at(flat, list + pointer);
  const to = movePath(schema, root, layer, direction, flat);
  const outline = (components: JsonObject[]): string =>
    components
      .map(
        (one) => `${one.id as string}${one.components ? `(${outline(one.components as JsonObject[])})` : ''}`,
      )
      .join(' ');
  const moved = to && changedDocument(flat, { type: 'move', path: layer.path, to });
  expect(moved && outline(valueAt(moved, pathOf(list)) as JsonObject[])).toBe(expected);
});
