import { useMemo } from 'react';
import { CodeBlock } from './code-block.js';
import { parseJson } from './json-text.js';
import { JsonView } from './json-view.js';

/** The body of a request or response: a tree for a JSON object or array, else plain text. */
export function BodyView({ label, body }: { label: string; body: string }) {
  const value = useMemo(() => parseJson(body), [body]);
  if (typeof value !== 'object' || value === null) return <CodeBlock label={label} code={body} copy wrap />;
  return <JsonView label={label} value={value} source={body} />;
}
