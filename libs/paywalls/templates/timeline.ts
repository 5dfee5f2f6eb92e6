import type { JsonObject } from '../../kernel/index.js';
import { iconFormats, PAYWALL_ICONS_PATH } from '../icons/icons.js';
import { accent, faint, fillWidth, line, none, type TemplateParts, tint } from './parts.js';

interface Step {
  icon: string;
  title: string;
  description: string;
}

function icon(parts: TemplateParts, name: string): JsonObject {
  const side = { type: 'fixed', value: 32 };
  return {
    type: 'icon',
    id: parts.id(),
    base_url: `self:${PAYWALL_ICONS_PATH}`,
    icon_name: name,
    formats: iconFormats(name),
    size: { width: side, height: side },
    color: accent,
    padding: { top: 7, bottom: 7, leading: 7, trailing: 7 },
    margin: none,
    icon_background: { color: tint, shape: { type: 'circle' } },
  };
}

/** Steps below each other, each with an icon, and a line from one to the next. */
export function timeline(parts: TemplateParts, steps: readonly Step[]): JsonObject {
  const items = steps.map(({ icon: name, title, description }, index) => ({
    type: 'timeline_item',
    id: parts.id(),
    icon: icon(parts, name),
    title: parts.text(title, { font_weight: 'semibold', horizontal_alignment: 'leading' }),
    description: parts.text(description, {
      font_size: 'body_s',
      horizontal_alignment: 'leading',
      color: faint,
    }),
    ...(index < steps.length - 1 && { connector: { width: 2, color: line, margin: none } }),
  }));
  return {
    type: 'timeline',
    id: parts.id(),
    item_spacing: 24,
    text_spacing: 4,
    column_gutter: 12,
    icon_alignment: 'title',
    size: fillWidth,
    padding: none,
    margin: none,
    items,
  };
}
