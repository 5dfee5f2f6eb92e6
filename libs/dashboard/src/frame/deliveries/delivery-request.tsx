import { BodyView } from '../../ui/text/body-view.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { HeaderList } from './header-list.js';

interface DeliveryRequestProps {
  /** Distinguishes the requests of a delivery that has several. */
  label?: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Explains which headers are hidden or masked. */
  note: string;
}

/** A request that the receiver gets. */
export function DeliveryRequest({ label, method, url, headers, body, note }: DeliveryRequestProps) {
  const Heading = label === undefined ? 'h3' : 'h4';
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {label !== undefined && <h3 className="-mb-2 font-medium">{label}</h3>}
      <p className="font-mono text-sm [overflow-wrap:anywhere]">
        {method} {visibleText(url)}
      </p>
      <section>
        <Heading className="mb-1 font-medium">Headers</Heading>
        <HeaderList headers={headers} />
        <p className="mt-1 text-sm text-muted">{note}</p>
      </section>
      <section>
        <Heading className="mb-1 font-medium">Body</Heading>
        <BodyView label={label === undefined ? 'Body' : `Body of ${label.toLowerCase()}`} body={body} />
      </section>
    </div>
  );
}
