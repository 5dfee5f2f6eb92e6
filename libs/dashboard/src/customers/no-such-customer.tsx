import { Link } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { DataText } from '../ui/text/data-text.js';
import { Panel } from '../ui/panel.js';
import { text } from './customers.text.js';

/** Shown at the address of a customer who does not exist. */
export function NoSuchCustomer({ projectId, id }: { projectId: string; id: string }) {
  return (
    <Page title={text.page.title}>
      <Panel>
        <p className="font-medium">{text.page.notFound}</p>
        {id !== '' && (
          <p>
            <DataText mono>{id}</DataText>
          </p>
        )}
        <p className="mt-1 mb-3 text-muted">{text.page.notFoundHint}</p>
        <Link to="/projects/$projectId/customers" params={{ projectId }} search={id === '' ? {} : { q: id }}>
          {text.page.search}
        </Link>
      </Panel>
    </Page>
  );
}
