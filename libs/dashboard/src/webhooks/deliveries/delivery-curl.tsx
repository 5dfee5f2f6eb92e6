import { CodeBlock } from '../../ui/text/code-block.js';
import type { DeliveryDetail } from '../webhooks.queries.js';
import { text } from '../webhooks.text.js';

/** The request as a curl command. */
export function DeliveryCurl({ delivery: { curl } }: { delivery: DeliveryDetail }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">{text.detail.curlAbout}</p>
      <CodeBlock label={text.detail.curlCommand} code={curl} copy />
    </div>
  );
}
