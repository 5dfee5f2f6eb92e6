import { useState } from 'react';
import { masked } from '../../api/call-log.js';
import { curlOf, type ScriptedCall } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { CodeBlock } from '../../ui/text/code-block.js';
import { cx } from '../../ui/cx.js';
import { operationOf } from './operation-link.js';

interface ShowCallProps {
  /** The operation as in the documentation: `POST /v2/projects/{project_id}/customers`. */
  operation: string;
  /** Values of the placeholders; ids are encoded here. */
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

function callOf({ operation, path = {}, query, body }: ShowCallProps): ScriptedCall {
  const [method = 'GET', template = ''] = operation.split(' ');
  const filled = template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    path[name] === undefined ? placeholder : encodeURIComponent(path[name]),
  );
  return {
    method,
    path: query ? `${filled}?${new URLSearchParams(query).toString()}` : filled,
    body: body === undefined ? undefined : masked(body),
  };
}

/** Shows the call of a dialog or form as curl, for the current input. */
export function ShowCall(props: ShowCallProps) {
  const [isOpen, setIsOpen] = useState(false);
  const documented = operationOf(props.operation);
  return (
    // Next to the buttons of a form when closed, below them when open.
    <div className={cx('flex min-w-0 flex-col items-start gap-2', isOpen && 'w-full')}>
      <Button size="sm" variant="ghost" icon="code" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide the API call' : 'Show the API call'}
      </Button>
      {isOpen && (
        <div className="w-full">
          <CodeBlock label="The API call" copy code={curlOf(callOf(props), location.origin)} />
          {documented && (
            <a href={documented.href} target="_blank" rel="noopener" className="text-sm">
              Documentation of {documented.id}
            </a>
          )}
        </div>
      )}
    </div>
  );
}
