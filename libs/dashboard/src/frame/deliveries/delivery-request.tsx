import { BodyView } from '../../ui/text/body-view.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { HeaderList } from './header-list.js';

interface DeliveryRequestProps {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  /** What the headers do not show. */
  note: string;
}

/** The request that the receiver gets. */
export function DeliveryRequest({ method, url, headers, body, note }: DeliveryRequestProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="font-mono text-sm [overflow-wrap:anywhere]">
        {method} {visibleText(url)}
      </p>
      <section>
        <h3 className="mb-1 font-medium">Headers</h3>
        <HeaderList headers={headers} />
        <p className="mt-1 text-sm text-muted">{note}</p>
      </section>
      <section>
        <h3 className="mb-1 font-medium">Body</h3>
        <BodyView label="Body" body={body} />
      </section>
    </div>
  );
}
