import { isJsonObject } from '../../kernel/index.js';
import { textOf } from '../document/text-of.js';
import { type PaywallProblem, problem } from '../model.js';
import { below } from '../document/pointer.js';
import type { CheckedDocument, ProblemRule } from './context.js';
import { nearest, type Visit } from '../document/visits.js';

/** Ids of components, of their parts, of sheets and of tabs share one space. */
const repeatedIds: ProblemRule = ({ visits }) => {
  const seen = new Set<string>();
  return visits.flatMap(({ object: { id }, path }) => {
    if (typeof id !== 'string') return [];
    if (seen.has(id)) return [problem('E2', below(path, 'id'), `Two components have the id \`${id}\`.`)];
    seen.add(id);
    return [];
  });
};

const nothingToBuy: ProblemRule = (checked) => {
  const hasPackage = checked.ofType('package').length > 0;
  const buttons = checked.ofType('purchase_button', 'express_purchase_button', 'wallet_button', 'web_view');
  return hasPackage && buttons.length > 0
    ? []
    : [problem('E6', '', 'A paywall needs a package and a purchase button.')];
};

function tabIds({ object }: Visit): unknown[] {
  return Array.isArray(object.tabs) ? object.tabs.map((tab) => (isJsonObject(tab) ? tab.id : undefined)) : [];
}

function tabButtonProblems({ object, path }: Visit, tabs: Visit): PaywallProblem[] {
  const place = tabIds(tabs).indexOf(object.tab_id);
  if (place < 0)
    return [problem('E8', below(path, 'tab_id'), `There is no tab \`${textOf(object.tab_id)}\`.`)];
  if (object.tab_index === place) return [];
  return [
    problem('E8', below(path, 'tab_index'), `The tab \`${textOf(object.tab_id)}\` has the place ${place}.`),
  ];
}

const misplacedTabs: ProblemRule = (checked) => [
  ...checked
    .ofType('tabs')
    .filter((tabs) => !tabIds(tabs).includes(tabs.object.default_tab_id))
    .map(({ object, path }) =>
      problem('E8', below(path, 'default_tab_id'), `There is no tab \`${textOf(object.default_tab_id)}\`.`),
    ),
  ...checked.ofType('tab_control', 'tab_control_button', 'tab_control_toggle').flatMap((visit) => {
    const tabs = nearest(visit, 'tabs');
    const type = textOf(visit.object.type);
    if (!tabs) return [problem('E8', visit.path, `A \`${type}\` must be inside \`tabs\`.`)];
    return type === 'tab_control_button' ? tabButtonProblems(visit, tabs) : [];
  }),
];

const strayOptions: ProblemRule = (checked) =>
  checked
    .ofType('input_option')
    .filter((visit) => !nearest(visit, 'input_single_choice') && !nearest(visit, 'input_multiple_choice'))
    .map(({ path }) => problem('E9', path, 'An `input_option` must be inside a choice.'));

/** The tab around a package, by its path; the rest of the screen is one group. */
function tabOf(visit: Visit): string {
  const tabs = nearest(visit, 'tabs');
  const place = tabs && /^\/tabs\/\d+/.exec(visit.path.slice(tabs.path.length));
  return place ? tabs.path + place[0] : '';
}

const badSelection: ProblemRule = (checked) => {
  const packages = checked.ofType('package');
  if (packages.length === 0) return [];
  const selected = packages.filter(({ object }) => object.is_selected_by_default === true);
  if (selected.length === 0) return [problem('W2', '', 'No package is selected by default.')];
  const groups = new Set<string>();
  return selected.flatMap((visit) => {
    const group = tabOf(visit);
    if (!groups.has(group)) {
      groups.add(group);
      return [];
    }
    const path = below(visit.path, 'is_selected_by_default');
    return [problem('W2', path, 'Another package is selected by default here.')];
  });
};

const withoutFallback: ProblemRule = (checked) =>
  checked
    .ofType('video', 'countdown')
    .filter(({ object }) => object.fallback === undefined)
    .map(({ path }) =>
      problem(
        'W5',
        path,
        'Apps with iOS SDK before 5.48 or Android SDK before 9.14 cannot show this paywall.',
      ),
    );

const crashingRoot: ProblemRule = ({ visits }) => {
  const root = visits.find(({ path }) => path === '/components_config/base/stack');
  const { overflow, size } = root?.object ?? {};
  const height = isJsonObject(size) && isJsonObject(size.height) ? size.height.type : undefined;
  if (!root || (overflow !== 'scroll' && height !== 'fill')) return [];
  return [problem('W7', root.path, 'Apps with Android SDK 9 crash; fixed in 10.3.1.')];
};

/** Components that no phone knows. */
const webOnly = [
  'redemption_button',
  'wallet_button',
  'express_purchase_button',
  'input_text',
  'input_multiple_choice',
];

const ONLY_WEB = 'Only the web shows this; apps show the fallback.';

const onlyOnTheWeb: ProblemRule = (checked) => [
  ...checked.ofType(...webOnly).map(({ path }) => problem('W8', path, ONLY_WEB)),
  ...checked.visits
    .filter(({ object }) => object.type === 'relative' || /^window_/.test(textOf(object.type)))
    .map(({ path }) => problem('W8', path, ONLY_WEB)),
];

const needsOfTheStore: readonly [message: string, isMet: (checked: CheckedDocument) => boolean][] = [
  [
    'The App Store asks for a way to restore purchases.',
    (checked) => hasAction(checked, 'type', 'restore_purchases'),
  ],
  [
    'The App Store asks for a link to the terms of use.',
    (checked) => hasAction(checked, 'destination', 'terms'),
  ],
  [
    'The App Store asks for a link to the privacy policy.',
    (checked) => hasAction(checked, 'destination', 'privacy_policy'),
  ],
];

function hasAction({ visits }: CheckedDocument, field: string, value: string): boolean {
  return visits.some(({ object, key }) => key === 'action' && object[field] === value);
}

const missingForReview: ProblemRule = (checked) =>
  needsOfTheStore.filter(([, isMet]) => !isMet(checked)).map(([message]) => problem('W10', '', message));

export const structureErrors: readonly ProblemRule[] = [
  repeatedIds,
  nothingToBuy,
  misplacedTabs,
  strayOptions,
];
export const structureWarnings: readonly ProblemRule[] = [
  badSelection,
  withoutFallback,
  crashingRoot,
  onlyOnTheWeb,
  missingForReview,
];
