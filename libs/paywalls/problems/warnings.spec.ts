import { textOf } from '../document/text-of.js';
import type { JsonObject } from '../../kernel/index.js';
import { find, ofType } from '../testing/context.js';
import {
  type Change,
  LAST,
  STACK,
  add,
  after,
  base,
  countdown,
  image,
  replaceAction,
  set,
  size,
  stack,
  tabs,
  texts,
  when,
} from '../testing/changes.js';

const video: JsonObject = {
  type: 'video',
  id: 'video',
  source: { light: { width: 1, height: 1, url: 'https://a/v.mp4', url_low_res: 'https://a/v.mp4' } },
  show_controls: false,
  auto_play: true,
  loop: true,
  mute_audio: true,
  size,
  fit_mode: 'fit',
};
const selected: JsonObject = {
  type: 'package',
  id: 'more',
  package_id: '$rc_monthly',
  is_selected_by_default: true,
  stack: stack('more_stack'),
};
/** Random texts, which do not compress. */
function noise(): JsonObject {
  let seed = 1;
  const letter = (): string => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(0x4e00 + (seed % 8_192));
  };
  const text = () => Array.from({ length: 4_000 }, letter).join('');
  return Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`noise${index}`, text()]));
}

describe('a warning', () => {
  it.each<[string, Change, string[][]]>([
    [
      'W1',
      texts({}, 'de_DE'),
      [['W1', '/components_localizations/de_DE', 'de_DE has no text `text_00001`; en_US is shown.']],
    ],
    [
      'W2 without a selection',
      set('package', { is_selected_by_default: false }),
      [['W2', '', 'No package is selected by default.']],
    ],
    [
      'W2 for two',
      add(selected),
      [['W2', `${LAST}/is_selected_by_default`, 'Another package is selected by default here.']],
    ],
    [
      'W2 not for two in two tabs',
      add(tabs('t', { tabs: [{ id: 't_a', stack: stack('t_as', [selected]) }] })),
      [],
    ],
    [
      'W3',
      add(countdown('c', '2026-10-31T00:00:00Z')),
      [['W3', `${LAST}/style/date`, 'The date of this countdown is past.']],
    ],
    ['W3 not for a future date', add(countdown('c', '2026-11-02T00:00:00Z')), []],
    [
      'W4',
      texts({ a: '{{ product.cost }} {{ product.price | shout }}' }),
      [
        [
          'W4',
          '/components_localizations/en_US/a',
          'The variable `product.cost` is not known; SDKs show nothing.',
        ],
        ['W4', '/components_localizations/en_US/a', 'The function `shout` is not known; SDKs show nothing.'],
      ],
    ],
    [
      'W4 for a custom variable',
      texts({ a: '{{ custom.plan }} {{ custom.other }}' }),
      [
        [
          'W4',
          '/components_localizations/en_US/a',
          'The variable `custom.other` is not known; SDKs show nothing.',
        ],
      ],
    ],
    [
      'W5',
      add(video),
      [['W5', LAST, 'Apps with iOS SDK before 5.48 or Android SDK before 9.14 cannot show this paywall.']],
    ],
    [
      'W6',
      (d) => void (d.components_localizations.ru_RU = { ...d.components_localizations.en_US }),
      [['W6', '/components_localizations/ru_RU', 'Words such as "monthly" are shown in English in ru_RU.']],
    ],
    [
      'W7 for scrolling',
      (d) => void (base(d).stack.overflow = 'scroll'),
      [['W7', STACK, 'Apps with Android SDK 9 crash; fixed in 10.3.1.']],
    ],
    [
      'W7 for a full height',
      (d) => void (base(d).stack.size = { width: { type: 'fill' }, height: { type: 'fill' } }),
      [['W7', STACK, 'Apps with Android SDK 9 crash; fixed in 10.3.1.']],
    ],
    [
      'W8 for a size',
      set('text', { size: { width: { type: 'relative', value: 0.5 }, height: { type: 'fit' } } }),
      [['W8', expect.stringMatching(/\/size\/width$/), 'Only the web shows this; apps show the fallback.']],
    ],
    [
      'W8 for a component',
      add({ type: 'wallet_button', id: 'w', fallback: stack('w_f') }),
      [['W8', LAST, 'Only the web shows this; apps show the fallback.']],
    ],
    [
      'W8 for a condition',
      add({ ...image('i'), ...when({ type: 'window_width_condition', operator: '>', value: 700 }) }),
      [['W8', `${LAST}/overrides/0/conditions/0`, 'Only the web shows this; apps show the fallback.']],
    ],
    [
      'W9',
      texts(noise()),
      [['W9', '', 'This paywall has more than 64 KiB when compressed; it loads slowly.']],
    ],
    [
      'W10 for restoring',
      replaceAction(({ type }) => type === 'restore_purchases'),
      [['W10', '', 'The App Store asks for a way to restore purchases.']],
    ],
    [
      'W10 for the terms',
      replaceAction(({ destination }) => destination === 'terms'),
      [['W10', '', 'The App Store asks for a link to the terms of use.']],
    ],
    [
      'W10 for privacy',
      replaceAction(({ destination }) => destination === 'privacy_policy'),
      [['W10', '', 'The App Store asks for a link to the privacy policy.']],
    ],
  ])('reports %s', (_, change, expected) => {
    const problems = after(change);
    expect(problems).toEqual(expect.arrayContaining(expected));
    expect(new Set(problems.map(([code]) => code))).toEqual(new Set(expected.map(([code]) => code)));
  });

  it('reports W4 for a text about a product without a package', () => {
    const change: Change = (document) => {
      set('package', { is_selected_by_default: false })(document);
      const { text_lid: lid } = find(document.components_config, ofType('text'));
      texts({ [textOf(lid)]: '{{ product.price }}' })(document);
    };
    expect(after(change).map(([code]) => code)).toEqual(['W2', 'W4']);
  });
});
