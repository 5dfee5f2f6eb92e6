import { isJsonObject, type JsonObject } from '../../kernel/index.js';
import type { PaywallDocument } from '../model.js';
import type { ProblemContext } from '../problems/context.js';
import { problemsOf } from '../problems/problems.js';
import { contextOf, find, ofType, templateDocument } from './context.js';

export const STACK = '/components_config/base/stack';
export const png = 'https://cdn.example.com/a.png';
export const files = {
  width: 1,
  height: 1,
  original: png,
  heic: png,
  heic_low_res: png,
  webp: png,
  webp_low_res: png,
};
export const none = { top: 0, bottom: 0, leading: 0, trailing: 0 };
export const size = { width: { type: 'fill' }, height: { type: 'fit' } };
export const white = { light: { type: 'hex', value: '#ffffff' } };

export const stack = (id: string, components: JsonObject[] = []): JsonObject => ({
  type: 'stack',
  id,
  components,
  size,
  dimension: { type: 'vertical', alignment: 'center', distribution: 'start' },
  spacing: 0,
  padding: none,
  margin: none,
});
export const image = (id: string, address = png): JsonObject => {
  const light = { ...files, original: address };
  return { type: 'image', id, source: { light }, size, fit_mode: 'fit' };
};
export const toggle = (id: string): JsonObject => ({
  type: 'tab_control_toggle',
  id,
  default_value: false,
  thumb_color_on: white,
  thumb_color_off: white,
  track_color_on: white,
  track_color_off: white,
});
export const countdown = (id: string, date: string): JsonObject => ({
  type: 'countdown',
  id,
  style: { type: 'date', date },
  count_from: 'days',
  countdown_stack: stack(`${id}_s`),
  fallback: stack(`${id}_f`),
});

export type Change = (document: PaywallDocument) => void;

export function base({ components_config: { base: screen } }: PaywallDocument): { stack: JsonObject } {
  return screen as { stack: JsonObject };
}

/** Adds components at the end of the screen; the template has six. */
export const add =
  (...components: JsonObject[]): Change =>
  (document) =>
    void (base(document).stack.components as JsonObject[]).push(...components);
export const set =
  (type: string, changes: JsonObject): Change =>
  (document) =>
    void Object.assign(find(document.components_config, ofType(type)), changes);
export const merge =
  (changes: JsonObject): Change =>
  (document) =>
    void Object.assign(document, changes);
export const texts =
  (changes: JsonObject, locale = 'en_US'): Change =>
  ({ components_localizations: all }) =>
    void (all[locale] = { ...all[locale], ...changes });
export const drop =
  (type: string): Change =>
  (document) => {
    const { stack: screen } = base(document);
    screen.components = (screen.components as JsonObject[]).filter((component) => component.type !== type);
  };
/** Replaces the action of the first button that matches. */
export const replaceAction =
  (matches: (action: JsonObject) => boolean): Change =>
  (document) => {
    const { action } = find(
      document.components_config,
      (object) => isJsonObject(object.action) && matches(object.action),
    );
    const changed = action as JsonObject;
    for (const key of Object.keys(changed)) delete changed[key];
    changed.type = 'navigate_back';
  };

export const when = (condition: JsonObject): JsonObject => ({
  overrides: [{ conditions: [condition], properties: { visible: false } }],
});
export const link = (lid: string): JsonObject => ({
  type: 'button',
  id: 'link',
  action: { type: 'navigate_to', destination: 'url', url: { url_lid: lid, method: 'deep_link' } },
  stack: stack('link_stack'),
});

/** Problems of a template after a change; it has none before. */
export function after(change: Change, context: Partial<ProblemContext> = {}, template = 'simple') {
  const document = templateDocument(template);
  change(document);
  return problemsOf(document, contextOf(context)).map(({ code, path, message }) => [code, path, message]);
}

export const LAST = `${STACK}/components/6`;

export const tabs = (id: string, changes: JsonObject = {}): JsonObject => ({
  type: 'tabs',
  id,
  size,
  padding: none,
  margin: none,
  control: { type: 'toggle', stack: stack(`${id}_c`, [toggle(`${id}_t`)]) },
  tabs: [
    { id: `${id}_a`, stack: stack(`${id}_as`) },
    { id: `${id}_b`, stack: stack(`${id}_bs`) },
  ],
  default_tab_id: `${id}_a`,
  ...changes,
});
export const tabButton = (tabId: string, index: number): JsonObject => ({
  type: 'tab_control_button',
  id: 'tab_button',
  tab_id: tabId,
  tab_index: index,
  stack: stack('tab_button_stack'),
});
export const control = (button: JsonObject): JsonObject => ({
  control: { type: 'buttons', stack: stack('t_c', [button]) },
});
export const option: JsonObject = {
  type: 'input_option',
  id: 'option',
  option_id: 'a',
  stack: stack('option_stack'),
  fallback: stack('option_fallback'),
};
