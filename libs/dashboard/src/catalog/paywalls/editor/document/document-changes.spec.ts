import fc from 'fast-check';
import type { JsonObject, PaywallDocument } from '../../paywall.types.js';
import { example, firstProblem, schema, screenWith } from '../testing/example.js';
import { flatLayers, layersOf } from '../schema/layers.js';
import { newLayer } from '../schema/new-value.js';
import { changedDocument, type DocumentChange, pathAfter } from './document-changes.js';
import { asText, pathOf, pointerOf, valueAt } from './json-path.js';

const list = '/components_config/base/stack/components';
const text = (id: string, lid = `t_${id}`): JsonObject => ({ type: 'text', id, text_lid: lid });
const stack = (id: string, ...components: JsonObject[]): JsonObject => ({ type: 'stack', id, components });
const document = screenWith([text('a'), stack('b', text('c'), text('d')), text('e')], {
  t_a: 'A',
  t_c: 'C',
  t_d: 'D',
  t_e: 'E',
});

/** The ids of the tree: `a b(c d) e`. */
function outline(value: PaywallDocument, pointer = list): string {
  return (valueAt(value, pathOf(pointer)) as JsonObject[])
    .map(({ id, components }, index) =>
      components ? `${asText(id)}(${outline(value, `${pointer}/${index}/components`)})` : asText(id),
    )
    .join(' ');
}

const move = (from: string, to: string) =>
  outline(changedDocument(document, { type: 'move', path: pathOf(list + from), to: pathOf(list + to) }));

describe('move', () => {
  it.each([
    ['/0', '/2', 'b(c d) a e'],
    ['/0', '/3', 'b(c d) e a'],
    ['/2', '/0', 'e a b(c d)'],
    ['/0', '/1/components/1', 'b(c a d) e'],
    ['/1/components/0', '/0', 'c a b(d) e'],
    ['/1/components/0', '/1/components/2', 'a b(d c) e'],
    ['/1', '/1/components/0', 'a b(c d) e'],
  ])('places %s in front of %s', (from, to, expected) => {
    expect(move(from, to)).toBe(expected);
  });

  it('knows where the component is afterwards', () => {
    const change = { type: 'move', path: pathOf(`${list}/0`), to: pathOf(`${list}/1/components/1`) } as const;
    expect(valueAt(changedDocument(document, change), [...pathAfter(change), 'id'])).toBe('a');
  });
});

describe('duplicate', () => {
  const copied = changedDocument(document, { type: 'duplicate', path: pathOf(`${list}/1`) }, () => 'new');

  it('places the copy after the original', () => {
    expect(outline(copied)).toBe('a b(c d) new(new new) e');
  });

  it('copies texts, so that a change of one leaves the other alone', () => {
    const path = pathOf(`${list}/0`);
    const { components_localizations: texts } = changedDocument(
      document,
      { type: 'duplicate', path },
      () => 'new',
    );
    expect(texts.en_US).toEqual({ ...document.components_localizations.en_US, new: 'A' });
    expect(texts.de_DE).toEqual({});
  });

  it('keeps references inside the copy', () => {
    const layers = flatLayers(layersOf(schema, example)).filter(({ isItem }) => isItem);
    for (const { path } of layers) {
      const changed = changedDocument(example, { type: 'duplicate', path });
      // Lists have a maximum length, and ids are unique, but references still lead somewhere.
      expect(firstProblem(changed)).toBeNull();
    }
  });
});

describe('remove', () => {
  it('removes texts that no other component shows', () => {
    const changed = changedDocument(document, { type: 'remove', path: pathOf(`${list}/1`) });
    expect(outline(changed)).toBe('a e');
    expect(changed.components_localizations.en_US).toEqual({ t_a: 'A', t_e: 'E' });
  });

  it('keeps a text that another component shows', () => {
    const shared = screenWith([text('a', 'same'), text('b', 'same')], { same: 'Both' });
    const changed = changedDocument(shared, { type: 'remove', path: pathOf(`${list}/0`) });
    expect(changed.components_localizations.en_US).toEqual({ same: 'Both' });
  });
});

describe('tabs', () => {
  const context = { iconsUrl: 'https://tenure.example.com/paywall-icons', packageIds: [] };
  const made = newLayer(schema, 'tabs', context);
  const start = screenWith([made.value], made.texts as Record<string, string>);
  const tabs = pathOf(`${list}/0`);
  const addTab = (to: PaywallDocument, index: number) => {
    const { value: item, texts } = newLayer(schema, 'tab', context);
    return changedDocument(to, { type: 'insert', path: [...tabs, 'tabs', index], item, texts });
  };
  const named = (value: PaywallDocument, name: string) => valueAt(value, [...tabs, ...name.split('.')]);
  /** The place of each button's tab, in the order of the buttons. */
  const places = (value: PaywallDocument) => {
    const ids = (named(value, 'tabs') as JsonObject[]).map(({ id }) => id);
    return (named(value, 'control.stack.components') as JsonObject[]).map(
      ({ tab_id: id, tab_index: place }) => {
        expect(ids.indexOf(id)).toBe(place);
        return place;
      },
    );
  };

  it('gain a button with each tab, beside that of the tab before', () => {
    const three = addTab(addTab(start, 1), 1);
    expect(places(three)).toEqual([0, 1, 2]);
    expect(firstProblem(three)).toBeNull();
    const texts = Object.values(three.components_localizations.en_US!);
    expect(texts.filter((text) => text === 'New tab')).toHaveLength(2);
    expect(three.components_localizations.de_DE).toEqual({});
    expect(JSON.stringify(named(three, 'tabs.1'))).toContain('"tab_control"');
  });

  it('copy the button of a copied tab with its text', () => {
    const copied = changedDocument(start, { type: 'duplicate', path: [...tabs, 'tabs', 0] });
    expect(places(copied)).toEqual([0, 1]);
    expect(Object.values(copied.components_localizations.en_US!)).toEqual(['New text', 'New text']);
  });

  it('keep buttons at the place of a moved tab', () => {
    const change = { type: 'move', path: [...tabs, 'tabs', 0], to: [...tabs, 'tabs', 2] } as const;
    expect(places(changedDocument(addTab(start, 1), change))).toEqual([1, 0]);
  });

  it('lose the buttons of a removed tab, and open the first one then', () => {
    const removed = changedDocument(addTab(start, 1), { type: 'remove', path: [...tabs, 'tabs', 0] });
    expect(places(removed)).toEqual([0]);
    expect(named(removed, 'default_tab_id')).toBe(named(removed, 'tabs.0.id'));
    expect(Object.values(removed.components_localizations.en_US!)).toEqual(['New tab']);
  });
});

it('shares everything beside a change', () => {
  const path = pathOf(`${list}/1/components/0/font_size`);
  const changed = changedDocument(document, { type: 'set', path, value: 20 });
  const before = valueAt(document, pathOf(list)) as JsonObject[];
  const after = valueAt(changed, pathOf(list)) as JsonObject[];
  expect(after[0]).toBe(before[0]);
  expect(after[2]).toBe(before[2]);
  expect(after[1]).not.toBe(before[1]);
  expect(changed.components_localizations).toBe(document.components_localizations);
});

it('returns the same document for a value that is already there', () => {
  const path = pathOf(`${list}/0/id`);
  expect(changedDocument(document, { type: 'set', path, value: 'a' })).toBe(document);
});

it('never loses or doubles a component by moves', () => {
  const ids = (value: PaywallDocument) =>
    outline(value).replaceAll(/[()]/g, ' ').split(/ +/).filter(Boolean).sort();
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 20 }), (moves) => {
      const moved = moves.reduce((value, [from, to]) => {
        const items = flatLayers(layersOf(schema, value)).filter(({ isItem }) => isItem);
        const change: DocumentChange = {
          type: 'move',
          path: items[from % items.length]!.path,
          to: items[to % items.length]!.path,
        };
        return changedDocument(value, change);
      }, document as PaywallDocument);
      expect(ids(moved)).toEqual(ids(document));
    }),
  );
});

it('reads and writes JSON pointers', () => {
  const path = ['a/b', 0, 'c~d'];
  expect(pointerOf(path)).toBe('/a~1b/0/c~0d');
  expect(pathOf(pointerOf(path))).toEqual(path);
});
