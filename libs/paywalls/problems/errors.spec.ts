import { paywallTemplates } from '../templates/templates.js';
import { contextOf, exampleDocument, templateDocument } from '../testing/context.js';
import {
  type Change,
  LAST,
  add,
  after,
  control,
  drop,
  files,
  image,
  link,
  merge,
  option,
  set,
  stack,
  tabButton,
  tabs,
  texts,
  toggle,
  when,
} from '../testing/changes.js';
import type { ProblemContext } from './context.js';
import { problemsOf } from './problems.js';

describe('a paywall', () => {
  it.each(paywallTemplates.map(({ id }) => id).filter((id) => id !== 'empty'))(
    'has no problems as the template %s',
    (id) => {
      expect(problemsOf(templateDocument(id), contextOf())).toEqual([]);
    },
  );

  it('has only warnings as the example', () => {
    const codes = problemsOf(exampleDocument(), contextOf()).map(({ code }) => code);
    expect([...new Set(codes)]).toEqual(['W8']);
  });

  it('has only breaches of the schema while there are any', () => {
    const codes = after(set('text', { font_weight: 'heavy', id: 'c001' })).map(([code]) => code);
    expect(codes).toEqual(['E1']);
  });

  it('has at most a hundred problems', () => {
    const images = Array.from({ length: 150 }, (_, index) => image(`i${index}`, 'http://a/b.png'));
    const codes = after(add(...images)).map(([code]) => code);
    expect(codes).toHaveLength(100);
    expect(new Set(codes)).toEqual(new Set(['E14']));
  });
});

describe('an error', () => {
  it.each<[string, Change, string[][], Partial<ProblemContext>?]>([
    ['E2', add(stack('c001')), [['E2', `${LAST}/id`, 'Two components have the id `c001`.']]],
    [
      'E3',
      set('text', { text_lid: 'abc' }),
      [['E3', expect.any(String), 'There is no text `abc` in en_US.']],
    ],
    ['E4', merge({ default_locale: 'fr_FR' }), [['E4', '/default_locale', 'There are no texts in fr_FR.']]],
    [
      'E5',
      (d) => (texts({ abc: 'javascript:alert(1)' })(d), add(link('abc'))(d)),
      [['E5', '/components_localizations/en_US/abc', '`javascript:` is not an address that apps may open.']],
    ],
    [
      'E5 for a relative address',
      (d) => (texts({ abc: '/terms' })(d), add(link('abc'))(d)),
      [['E5', '/components_localizations/en_US/abc', '`/terms` is not a complete address.']],
    ],
    ['E5 not for a deep link', (d) => (texts({ abc: 'myapp://offers' })(d), add(link('abc'))(d)), []],
    [
      'E6 without a button',
      drop('purchase_button'),
      [['E6', '', 'A paywall needs a package and a purchase button.']],
    ],
    [
      'E7',
      set('package', { package_id: '$rc_weekly' }),
      [['E7', expect.any(String), 'The offering has no package `$rc_weekly`.']],
    ],
    [
      'E7 in a condition',
      add({
        ...image('i'),
        ...when({ type: 'selected_package_condition', operator: 'in', packages: ['$rc_annual', 'x'] }),
      }),
      [['E7', `${LAST}/overrides/0/conditions/0/packages/1`, 'The offering has no package `x`.']],
    ],
    ['E8 outside tabs', add(toggle('t')), [['E8', LAST, 'A `tab_control_toggle` must be inside `tabs`.']]],
    [
      'E8 for a default tab',
      add(tabs('t', { default_tab_id: 'x' })),
      [['E8', `${LAST}/default_tab_id`, 'There is no tab `x`.']],
    ],
    [
      'E8 for a button of no tab',
      add(tabs('t', control(tabButton('x', 0)))),
      [['E8', `${LAST}/control/stack/components/0/tab_id`, 'There is no tab `x`.']],
    ],
    [
      'E8 for a button at another place',
      add(tabs('t', control(tabButton('t_b', 0)))),
      [['E8', `${LAST}/control/stack/components/0/tab_index`, 'The tab `t_b` has the place 1.']],
    ],
    ['E8 not inside tabs', add(tabs('t', control(tabButton('t_b', 1)))), []],
    ['E9', add(option), [['E9', LAST, 'An `input_option` must be inside a choice.']]],
    [
      'E10 for a color',
      set('text', { color: { light: { type: 'alias', value: 'brand' } } }),
      [['E10', expect.stringMatching(/\/color\/light\/value$/), 'There is no color `brand`.']],
    ],
    [
      'E10 not for a known color',
      set('text', { color: { light: { type: 'alias', value: 'brand' } } }),
      [],
      { colors: new Set(['brand']) },
    ],
    [
      'E10 for a font',
      set('text', { font_name: 'Inter' }),
      [['E10', expect.stringMatching(/\/font_name$/), 'There is no font `Inter`.']],
    ],
    ['E10 not for a font of the platforms', set('text', { font_name: 'serif' }), []],
    [
      'E11',
      merge({ exit_offers: { dismiss: { offering_id: 'old' } } }),
      [['E11', '/exit_offers/dismiss/offering_id', 'There is no active offering `old`.']],
    ],
    [
      'E11 for the own offering',
      merge({ exit_offers: { dismiss: { offering_id: 'default' } } }),
      [['E11', '/exit_offers/dismiss/offering_id', 'The exit offer must be another offering.']],
    ],
    [
      'E12',
      add(image('i', 'https://tenure.example.com/v1/blobs/proj1/ref')),
      [['E12', `${LAST}/source/light/original`, 'This image was deleted.']],
    ],
    [
      'E12 for another project',
      add(image('i', 'https://tenure.example.com/v1/blobs/proj2/ref')),
      [['E12', `${LAST}/source/light/original`, 'This image was deleted.']],
    ],
    [
      'E12 not for an image that exists',
      add(image('i', 'https://tenure.example.com/v1/blobs/proj1/ref')),
      [],
      { images: { ...contextOf().images, refs: new Set(['ref']) } },
    ],
    [
      'E13 for a state',
      add({ ...image('i'), ...when({ type: 'state_condition', operator: '=', name: 'period', value: 1 }) }),
      [['E13', `${LAST}/overrides/0/conditions/0/name`, 'There is no state `period`.']],
    ],
    [
      'E13 for an update',
      set('button', { state_updates: [{ set: 'period', to: 1 }] }),
      [['E13', expect.stringMatching(/\/state_updates\/0\/set$/), 'There is no state `period`.']],
    ],
    [
      'E13 not for a declared state',
      (d) => (
        merge({ state_declarations: { period: { type: 'integer', default: 1 } } })(d),
        set('button', { state_updates: [{ set: 'period', to: 1 }] })(d)
      ),
      [],
    ],
    [
      'E13 for a variable',
      add({
        ...image('i'),
        ...when({ type: 'variable_condition', operator: '=', variable: 'level', value: 1 }),
      }),
      [['E13', `${LAST}/overrides/0/conditions/0/variable`, 'There is no variable `level`.']],
    ],
    [
      'E14',
      add(image('i', 'http://a/b.png')),
      [['E14', `${LAST}/source/light/original`, 'Apps refuse plain http.']],
    ],
    [
      'E14 for a localized image',
      texts({ url: { light: { ...files, webp: 'http://a/b.webp' } } }),
      [['E14', '/components_localizations/en_US/url/light/webp', 'Apps refuse plain http.']],
    ],
    ['E14 not in development', add(image('i', 'http://a/b.png')), [], { isProduction: false }],
  ])('reports %s', (_, change, expected, context = {}) => {
    const errors = after(change, context).filter(([code]) => code?.startsWith('E'));
    expect(errors).toEqual(expect.arrayContaining(expected));
    expect(new Set(errors.map(([code]) => code))).toEqual(new Set(expected.map(([code]) => code)));
  });
});
