import { useMemo, useState } from 'react';
import { Button } from '../button.js';
import { CopyButton } from './copy-button.js';
import { cx } from '../cx.js';
import { JsonNode } from './json-tree.js';
import { prettyJson } from './json-text.js';
import { cutText, visibleText } from './visible-text.js';

/** Maximum number of rendered characters in the text view. */
const most = 100_000;

interface JsonViewProps {
  label: string;
  value: unknown;
  /** The source text of the value, shown and copied unchanged. */
  source?: string;
  /** The initial view. */
  view?: 'tree' | 'text';
}

/** A JSON value as a collapsible tree or as text, in a scrollable region. */
export function JsonView({ label, value, source, view = 'tree' }: JsonViewProps) {
  const [shown, setShown] = useState(view);
  const text = useMemo(() => source ?? prettyJson(value), [source, value]);
  return (
    <div className="min-w-0 rounded-md border border-line bg-bg">
      <div
        className="flex items-center gap-1 border-b border-line px-1.5 py-1"
        role="group"
        aria-label="View as"
      >
        {(['tree', 'text'] as const).map((kind) => (
          <Button
            key={kind}
            size="sm"
            variant="ghost"
            aria-pressed={shown === kind}
            className={shown === kind ? 'bg-hover!' : 'text-muted!'}
            onClick={() => setShown(kind)}
          >
            {kind === 'tree' ? 'Tree' : 'Text'}
          </Button>
        ))}
        <span className="ms-auto">
          <CopyButton value={text} label={label} />
        </span>
      </div>
      <div
        role="region"
        aria-label={label}
        tabIndex={0}
        className="max-h-128 overflow-auto px-3 py-2 font-mono text-sm"
      >
        {shown === 'tree' ? (
          <JsonNode value={value} open={2} />
        ) : (
          <pre className={cx('font-mono', source !== undefined && 'break-all whitespace-pre-wrap')}>
            {visibleText(cutText(text, most))}
          </pre>
        )}
        {shown === 'text' && text.length > most && (
          <p className="mt-2 font-sans text-muted">
            Only the first 100 KB are shown. Copy includes everything.
          </p>
        )}
      </div>
    </div>
  );
}
