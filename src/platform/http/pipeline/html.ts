/** Markup. All other template values are text and are escaped. */
export class Html {
  constructor(readonly text: string) {}
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function textOf(value: Html | Html[] | string | null): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Attribute values must be quoted. */
export function markup(parts: TemplateStringsArray, ...values: (Html | Html[] | string | null)[]): Html {
  return new Html(parts.map((part, index) => part + textOf(values[index] ?? null)).join(''));
}
