import type { JsonObject } from '../../kernel/index.js';

/** Builds the parts of one template: gives each component an id and each text a key. */
export class TemplateParts {
  readonly texts: Record<string, string> = {};
  private count = 0;

  text(text: string, look: JsonObject = {}): JsonObject {
    return {
      type: 'text',
      id: this.id(),
      text_lid: this.lid(text),
      font_size: 'body_m',
      font_weight: 'regular',
      horizontal_alignment: 'center',
      color: ink,
      size: fillWidth,
      padding: none,
      margin: none,
      ...look,
    };
  }

  stack(components: JsonObject[], look: JsonObject = {}): JsonObject {
    return {
      type: 'stack',
      id: this.id(),
      components,
      size: fillWidth,
      dimension: vertical,
      spacing: 8,
      padding: none,
      margin: none,
      ...look,
    };
  }

  /** A plan that the customer may choose; the chosen one has a strong border. */
  plan(packageId: string, title: string, price: string, isSelected: boolean): JsonObject {
    const lines = [
      this.text(title, { font_weight: 'semibold', horizontal_alignment: 'leading' }),
      this.text(price, { font_size: 'body_s', horizontal_alignment: 'leading', color: faint }),
    ];
    const look = { padding: around(16), spacing: 4, shape: rounded, border: { color: line, width: 1 } };
    const chosen = {
      conditions: [{ type: 'selected' }],
      properties: { border: { color: accent, width: 2 } },
    };
    return {
      type: 'package',
      id: this.id(),
      package_id: packageId,
      is_selected_by_default: isSelected,
      stack: this.stack(lines, { ...look, overrides: [chosen] }),
    };
  }

  purchaseButton(label: string): JsonObject {
    const text = this.text(label, { font_weight: 'semibold', color: white });
    return {
      type: 'purchase_button',
      id: this.id(),
      action: 'in_app_checkout',
      stack: this.stack([text], {
        padding: around(16),
        background: { type: 'color', value: accent },
        shape: { type: 'pill' },
      }),
    };
  }

  /** Links that app stores ask for. */
  legalLinks(): JsonObject {
    const link = (label: string, destination: string, url: string): JsonObject =>
      this.smallButton(label, {
        type: 'navigate_to',
        destination,
        url: { url_lid: this.lid(url), method: 'in_app_browser' },
      });
    return this.stack(
      [
        this.smallButton('Restore purchases', { type: 'restore_purchases' }),
        link('Terms', 'terms', 'https://example.com/terms'),
        link('Privacy', 'privacy_policy', 'https://example.com/privacy'),
      ],
      { dimension: { type: 'horizontal', alignment: 'center', distribution: 'center' }, spacing: 16 },
    );
  }

  closeButton(): JsonObject {
    const label = this.text('✕', { size: fit, color: faint });
    const row = this.stack([this.button([label], { type: 'navigate_back' })], {
      dimension: { type: 'vertical', alignment: 'trailing', distribution: 'start' },
    });
    return row;
  }

  title(text: string): JsonObject {
    return this.text(text, { font_size: 'heading_l', font_weight: 'bold' });
  }

  id(): string {
    return `c${String(++this.count).padStart(3, '0')}`;
  }

  lid(text: string): string {
    const lid = `text_${String(Object.keys(this.texts).length + 1).padStart(5, '0')}`;
    this.texts[lid] = text;
    return lid;
  }

  private smallButton(label: string, action: JsonObject): JsonObject {
    return this.button([this.text(label, { font_size: 'body_s', size: fit, color: faint })], action);
  }

  private button(components: JsonObject[], action: JsonObject): JsonObject {
    return { type: 'button', id: this.id(), action, stack: this.stack(components, { size: fit }) };
  }
}

const both = (light: string, dark: string): JsonObject => ({
  light: { type: 'hex', value: light },
  dark: { type: 'hex', value: dark },
});

export const ink = both('#111111', '#ffffff');
export const faint = both('#5f6368', '#b4b8bd');
export const line = both('#d5d9de', '#3a3f45');
export const accent = both('#3d5afe', '#5c74ff');
export const tint = both('#e8ebff', '#1e2340');
export const white = both('#ffffff', '#ffffff');
export const paper = both('#ffffff', '#101114');

export const around = (space: number): JsonObject => ({
  top: space,
  bottom: space,
  leading: space,
  trailing: space,
});
export const none = around(0);
export const rounded: JsonObject = {
  type: 'rectangle',
  corners: { top_leading: 12, top_trailing: 12, bottom_leading: 12, bottom_trailing: 12 },
};
export const vertical: JsonObject = { type: 'vertical', alignment: 'center', distribution: 'start' };
export const fillWidth: JsonObject = { width: { type: 'fill' }, height: { type: 'fit' } };
export const fit: JsonObject = { width: { type: 'fit' }, height: { type: 'fit' } };
