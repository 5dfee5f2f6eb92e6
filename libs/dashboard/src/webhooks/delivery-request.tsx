import { useState } from 'react';
import { CodeBlock } from '../ui/code-block.js';
import { SelectField } from '../ui/select-field.js';
import { visibleText } from '../ui/visible-text.js';
import { prettyJson } from './delivery-body.js';
import { HeaderList } from './header-list.js';
import type { DeliveryDetail } from './webhooks.queries.js';
import { text } from './webhooks.text.js';

/** What the endpoint gets. */
export function DeliveryRequest({ delivery: { url, request } }: { delivery: DeliveryDetail }) {
  const [as, setAs] = useState('pretty');
  const body = as === 'pretty' ? prettyJson(request.body) : request.body;
  return (
    <div className="flex flex-col gap-4">
      <p className="font-mono text-sm [overflow-wrap:anywhere]">
        {request.method} {visibleText(url)}
      </p>
      <section>
        <h3 className="mb-1 font-medium">{text.detail.headers}</h3>
        <HeaderList headers={request.headers} />
        <p className="mt-1 text-sm text-muted">{text.detail.headersNote}</p>
      </section>
      <section>
        <div className="mb-1 flex items-center justify-between gap-2">
          <h3 className="font-medium">{text.detail.body}</h3>
          <SelectField
            label={text.detail.bodyAs}
            labelHidden
            size="sm"
            value={as}
            onChange={({ target }) => setAs(target.value)}
            options={[
              { value: 'pretty', label: text.detail.pretty },
              { value: 'raw', label: text.detail.raw },
            ]}
          />
        </div>
        <CodeBlock label={text.detail.body} code={visibleText(body)} copy />
      </section>
    </div>
  );
}
