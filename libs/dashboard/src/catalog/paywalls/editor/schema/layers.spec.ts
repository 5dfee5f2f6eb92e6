import { example, schema } from '../testing/example.js';
import { asText, pathOf, pointerOf, valueAt } from '../document/json-path.js';
import { flatLayers, layerAt, layersOf } from './layers.js';

const root = layersOf(schema, example);
const all = flatLayers(root);

describe('layersOf', () => {
  it('finds every component of the document', () => {
    const typed = [...JSON.stringify(example.components_config).matchAll(/"id":/g)];
    expect(all.length - 1).toBe(typed.length);
  });

  it('names the type and the place of every layer', () => {
    for (const { path, type } of all.slice(1)) {
      const value = valueAt(example, path) as Record<string, unknown>;
      if (
        value.type !== undefined &&
        !['header', 'footer', 'tab', 'timeline_item'].includes(asText(value.type))
      )
        expect([pointerOf(path), value.type]).toEqual([pointerOf(path), type]);
    }
  });

  it('starts with the parts of the screen, the header first', () => {
    expect(root.children.map(({ slot, type }) => [slot, type])).toEqual([
      ['Header', 'header'],
      ['Stack', 'stack'],
      ['Sticky footer', 'sticky_footer'],
    ]);
  });
});

it('finds the innermost layer of a path', () => {
  const path = pathOf('/components_config/base/stack/components/0/size/width');
  expect(pointerOf(layerAt(root, path).path)).toBe('/components_config/base/stack/components/0');
  expect(layerAt(root, pathOf('/components_localizations/en_US/a')).type).toBe('base');
});
