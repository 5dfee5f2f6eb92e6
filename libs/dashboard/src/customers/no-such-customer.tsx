import { Link } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { DataText } from '../ui/text/data-text.js';
import { Panel } from '../ui/panel.js';

/** Shown at the address of a customer who does not exist. */
export function NoSuchCustomer({ projectId, id }: { projectId: string; id: string }) {
  return (
    <Page title="Customer">
      <Panel>
        <p className="font-medium">No customer has this app user id</p>
        {id !== '' && (
          <p>
            <DataText mono>{id}</DataText>
          </p>
        )}
        <p className="mt-1 mb-3 text-muted">It may have been deleted, or it belongs to another project.</p>
        <Link to="/projects/$projectId/customers" params={{ projectId }} search={id === '' ? {} : { q: id }}>
          Search customers
        </Link>
      </Panel>
    </Page>
  );
}
