import { definitionOf, type SchemaNode } from './document-schema.js';

const upperCase = new Set(['url', 'id', 'ms']);

/** Returns the name of a property or value for people: `font_size` is "Font size", `text_lid` is "Text". */
export function titleOf(name: string): string {
  const words = name
    .replace(/_lid$/, '')
    .replace(/^ms_(.*)$/, '$1_(ms)')
    .replace(/_int$/, '_(number)')
    .split('_')
    .map((word) => (upperCase.has(word) ? word.toUpperCase() : word.replace('(ms)', '(ms)')));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the name of a type of component for people. */
export function typeTitle(schema: SchemaNode, type: string): string {
  const { title } = definitionOf(schema, type);
  return typeof title === 'string' ? title : titleOf(type);
}
