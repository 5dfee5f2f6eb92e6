import { BodyView } from '../../ui/text/body-view.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { HeaderList } from './header-list.js';
import type { DeliveryDetail } from '../webhooks.queries.js';

/** The request that the endpoint receives. */
export function DeliveryRequest({ delivery: { url, request } }: { delivery: DeliveryDetail }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="font-mono text-sm [overflow-wrap:anywhere]">
        {request.method} {visibleText(url)}
      </p>
      <section>
        <h3 className="mb-1 font-medium">Headers</h3>
        <HeaderList headers={request.headers} />
        <p className="mt-1 text-sm text-muted">Signatures and the Authorization header are not shown.</p>
      </section>
      <section>
        <h3 className="mb-1 font-medium">Body</h3>
        <BodyView label="Body" body={request.body} />
      </section>
    </div>
  );
}
