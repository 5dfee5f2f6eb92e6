import { CopyButton } from './copy-button.js';

interface CodeBlockProps {
  code: string;
  /** What it is, for the region's name and the copy button. */
  label: string;
  copy?: boolean;
}

/** Code or a command, in a region that scrolls by itself. */
export function CodeBlock({ code, label, copy }: CodeBlockProps) {
  return (
    <div className="relative rounded-md border border-line bg-bg">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-96 overflow-auto p-3 pe-12 font-mono text-sm"
      >
        {code}
      </pre>
      {copy && (
        <span className="absolute end-1.5 top-1.5 rounded-md bg-bg">
          <CopyButton value={code} label={label} />
        </span>
      )}
    </div>
  );
}
