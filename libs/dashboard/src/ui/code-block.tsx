import { CopyButton } from './copy-button.js';
import { uiText } from './ui.text.js';
import { cutText, visibleText } from './visible-text.js';

/** Characters that are drawn; the copy is whole. */
const most = 100_000;

interface CodeBlockProps {
  code: string;
  /** Name of the region, and of what is copied. */
  label: string;
  copy?: boolean;
  /** Breaks long lines instead of scrolling. */
  wrap?: boolean;
}

/** Code or a raw text; scrolls by itself and can be reached by keyboard for that. */
export function CodeBlock({ code, label, copy, wrap }: CodeBlockProps) {
  return (
    <div className="relative min-w-0 rounded-md border border-line bg-bg">
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        className={`max-h-96 overflow-auto rounded-md px-3 py-2.5 font-mono text-sm ${copy ? 'pe-12' : ''} ${
          wrap ? 'break-words whitespace-pre-wrap' : ''
        }`}
      >
        <code>{visibleText(cutText(code, most))}</code>
        {code.length > most && <span className="mt-2 block font-sans text-muted">{uiText.cutText}</span>}
      </pre>
      {copy && (
        <div className="absolute end-1.5 top-1.5 rounded-md bg-bg">
          <CopyButton value={code} label={label} />
        </div>
      )}
    </div>
  );
}
