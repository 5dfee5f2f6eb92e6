import type { JsonObject } from '../../kernel/index.js';
import { around, paper, TemplateParts, vertical } from './parts.js';
import { type PaywallTemplate, paywallTemplates } from './templates.js';

const LOCALE = 'en_US';
const defaultPackages = ['$rc_annual', '$rc_monthly'] as const;

export function findTemplate(id: string): PaywallTemplate | undefined {
  return paywallTemplates.find((template) => template.id === id);
}

/** A new document of a template, in its stored form; for the first packages of the offering, if it has any. */
export function newDocument(template: PaywallTemplate, packages: readonly string[] = []): JsonObject {
  const parts = new TemplateParts();
  const [first = defaultPackages[0], second = packages[0] ?? defaultPackages[1]] = packages;
  const { body, footer } = template.build(parts, [first, second]);
  const stack = parts.stack(body, {
    size: { width: { type: 'fill' }, height: { type: 'fit' } },
    dimension: vertical,
    spacing: 16,
    padding: around(20),
  });
  const footerStack = footer && parts.stack(footer, { spacing: 12, padding: around(20) });
  return {
    default_locale: LOCALE,
    components_config: {
      base: {
        stack,
        ...(footerStack && { sticky_footer: { type: 'footer', id: parts.id(), stack: footerStack } }),
        background: { type: 'color', value: paper },
      },
    },
    components_localizations: { [LOCALE]: { ...parts.texts } },
  };
}
