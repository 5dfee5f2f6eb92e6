const NAMES = ['UploadId', 'Code', 'Region', 'Message'] as const;
export type AnswerElements = Partial<Record<(typeof NAMES)[number], string>>;

/**
 * Finds the four elements that are needed in an answer of at most 64 KiB. There is no XML parser, so entities and
 * nesting have no effect.
 */
export function elementsOf(answer: string): AnswerElements {
  const elements: AnswerElements = {};
  for (const name of NAMES) {
    const start = answer.indexOf(`<${name}>`);
    const end = answer.indexOf(`</${name}>`, start);
    if (start >= 0 && end >= 0) elements[name] = answer.slice(start + name.length + 2, end).trim();
  }
  return elements;
}
