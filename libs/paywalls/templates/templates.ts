import type { JsonObject } from '../../kernel/index.js';
import { accent, around, faint, fillWidth, fit, rounded, type TemplateParts, white } from './parts.js';
import { timeline } from './timeline.js';

export interface PaywallTemplate {
  id: string;
  name: string;
  description: string;
  /** The screen. Its components are for the given packages, the first selected. */
  build(parts: TemplateParts, packages: readonly [string, string]): Screen;
}

interface Screen {
  body: JsonObject[];
  footer?: JsonObject[];
}

const PRICE = '{{ product.price_per_period }}';
const BUY = 'Continue';

function features(parts: TemplateParts): JsonObject {
  const lines = ['Everything without limits', 'New content every week', 'Cancel at any time'];
  const rows = lines.map((text) =>
    parts.stack(
      [
        parts.text('✓', { size: fit, font_weight: 'bold', color: accent }),
        parts.text(text, { horizontal_alignment: 'leading' }),
      ],
      { dimension: { type: 'horizontal', alignment: 'center', distribution: 'start' }, spacing: 12 },
    ),
  );
  return parts.stack(rows, { spacing: 12 });
}

function plans(parts: TemplateParts, [first, second]: readonly [string, string]): JsonObject[] {
  const other = first === second ? [] : [parts.plan(second, 'Other plan', PRICE, false)];
  return [parts.plan(first, 'Best value', PRICE, true), ...other];
}

function purchase(parts: TemplateParts): JsonObject[] {
  return [parts.purchaseButton(BUY), parts.legalLinks()];
}

function page(parts: TemplateParts, title: string, text: string): JsonObject {
  const content = [
    parts.text(title, { font_size: 'heading_m', font_weight: 'bold' }),
    parts.text(text, { color: faint }),
  ];
  return parts.stack(content, { padding: around(24), spacing: 12 });
}

function indicator(color: JsonObject): JsonObject {
  return { width: 8, height: 8, color };
}

function carousel(parts: TemplateParts): JsonObject {
  return {
    type: 'carousel',
    id: parts.id(),
    pages: [
      page(parts, 'Learn faster', 'Short lessons that fit into your day.'),
      page(parts, 'Stay on track', 'Reminders that help you keep going.'),
      page(parts, 'See your progress', 'Statistics for each week and month.'),
    ],
    page_alignment: 'center',
    page_spacing: 8,
    page_peek: 0,
    initial_page_index: 0,
    loop: true,
    size: fillWidth,
    padding: around(0),
    margin: around(0),
    page_control: {
      position: 'bottom',
      spacing: 6,
      padding: around(8),
      margin: around(0),
      active: indicator(accent),
      default: indicator(faint),
    },
  };
}

function tabs(parts: TemplateParts, [first, second]: readonly [string, string]): JsonObject {
  const chosen = (properties: JsonObject) => [{ conditions: [{ type: 'selected' }], properties }];
  const tab = (id: string, packageId: string, title: string): JsonObject => ({
    id,
    stack: parts.stack([{ type: 'tab_control', id: parts.id() }, parts.plan(packageId, title, PRICE, true)]),
  });
  const button = (tabId: string, index: number, label: string): JsonObject => ({
    type: 'tab_control_button',
    id: parts.id(),
    tab_id: tabId,
    tab_index: index,
    stack: parts.stack(
      [parts.text(label, { font_weight: 'semibold', overrides: chosen({ color: white }) })],
      {
        padding: around(12),
        shape: rounded,
        overrides: chosen({ background: { type: 'color', value: accent } }),
      },
    ),
  });
  return {
    type: 'tabs',
    id: parts.id(),
    size: fillWidth,
    padding: around(0),
    margin: around(0),
    control: {
      type: 'buttons',
      stack: parts.stack([button('tab_first', 0, 'Standard'), button('tab_second', 1, 'Flexible')], {
        dimension: { type: 'horizontal', alignment: 'center', distribution: 'center' },
      }),
    },
    tabs: [tab('tab_first', first, 'Standard'), tab('tab_second', second, 'Flexible')],
    default_tab_id: 'tab_first',
  };
}

const trialSteps = [
  { icon: 'lock-open', title: 'Today', description: 'You get access to everything.' },
  { icon: 'bell', title: 'During the trial', description: 'You can cancel at any time and pay nothing.' },
  { icon: 'star', title: 'When it ends', description: `Your subscription starts at ${PRICE}.` },
] as const;

/** Templates in the order in which they are offered. */
export const paywallTemplates: readonly PaywallTemplate[] = [
  {
    id: 'simple',
    name: 'Simple',
    description: 'A title, one plan and a button.',
    build: (parts, packages) => ({
      body: [
        parts.closeButton(),
        parts.title('Unlock everything'),
        parts.text('One subscription for all features.', { color: faint }),
        parts.plan(packages[0], 'All features', PRICE, true),
        ...purchase(parts),
      ],
    }),
  },
  {
    id: 'features',
    name: 'Features',
    description: 'A list of features above the plans.',
    build: (parts, packages) => ({
      body: [parts.closeButton(), parts.title('Get more done'), features(parts), ...plans(parts, packages)],
      footer: purchase(parts),
    }),
  },
  {
    id: 'timeline_trial',
    name: 'Timeline trial',
    description: 'What happens during a free trial, step by step.',
    build: (parts, packages) => ({
      body: [parts.closeButton(), parts.title('How your free trial works'), timeline(parts, trialSteps)],
      footer: [
        parts.plan(packages[0], 'Free trial', `Then ${PRICE}`, true),
        parts.purchaseButton('Start free trial'),
        parts.legalLinks(),
      ],
    }),
  },
  {
    id: 'two_plans',
    name: 'Two plans',
    description: 'Two plans below a title.',
    build: (parts, packages) => ({
      body: [
        parts.closeButton(),
        parts.title('Choose your plan'),
        ...plans(parts, packages),
        ...purchase(parts),
      ],
    }),
  },
  {
    id: 'plans_in_tabs',
    name: 'Plans in tabs',
    description: 'A tab for each plan.',
    build: (parts, packages) => ({
      body: [parts.closeButton(), parts.title('Choose your plan'), tabs(parts, packages), ...purchase(parts)],
    }),
  },
  {
    id: 'carousel',
    name: 'Carousel',
    description: 'Pages that explain the app, above the plans.',
    build: (parts, packages) => ({
      body: [parts.closeButton(), carousel(parts), ...plans(parts, packages)],
      footer: purchase(parts),
    }),
  },
  {
    id: 'footer_only',
    name: 'Footer only',
    description: 'A title, with the plan and the button at the bottom of the screen.',
    build: (parts, packages) => ({
      body: [parts.closeButton(), parts.title('Unlock everything')],
      footer: [parts.plan(packages[0], 'All features', PRICE, true), ...purchase(parts)],
    }),
  },
  { id: 'empty', name: 'Empty', description: 'An empty screen.', build: () => ({ body: [] }) },
];
