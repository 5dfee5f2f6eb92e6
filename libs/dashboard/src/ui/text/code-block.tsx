import { CopyButton } from './copy-button.js';
import { cx } from '../cx.js';
import { cutText, visibleText } from './visible-text.js';

/** Maximum number of characters to render; the copy is complete. */
const most = 100_000;

interface CodeBlockProps {
  code: string;
  /** Name of the region and of the copied text. */
  label: string;
  copy?: boolean;
  /** Breaks long lines instead of scrolling. */
  wrap?: boolean;
}

/** Code or raw text in a scrollable region that can be reached by keyboard. */
export function CodeBlock({ code, label, copy, wrap }: CodeBlockProps) {
  return (
    <div className="flex min-w-0 items-start rounded-md border border-line bg-bg">
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        className={cx(
          'max-h-96 min-w-0 flex-1 overflow-auto rounded-md px-3 py-2.5 font-mono text-sm',
          wrap && 'break-words whitespace-pre-wrap',
        )}
      >
        <code>{visibleText(cutText(code, most))}</code>
        {code.length > most && (
          <span className="mt-2 block font-sans text-muted">
            Only the first 100 KB are shown. Copy includes everything.
          </span>
        )}
      </pre>
      {copy && (
        <div className="m-1.5">
          <CopyButton value={code} label={label} />
        </div>
      )}
    </div>
  );
}
