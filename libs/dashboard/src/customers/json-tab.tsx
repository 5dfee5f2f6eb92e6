import { useQuery } from '@tanstack/react-query';
import { JsonView } from '../ui/text/json-view.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { useCustomer } from './customer-context.js';
import { customerQuery } from './customers.queries.js';

/** The customer in the API's format. */
export function JsonTab() {
  const { projectId, id } = useCustomer();
  const options = customerQuery(projectId, id);
  const query = useQuery(options);
  return (
    <QueryPanel query={query} queryKey={options.queryKey}>
      {(customer) => (
        <div className="px-4 pb-4">
          <JsonView label="Customer as JSON" value={customer} />
        </div>
      )}
    </QueryPanel>
  );
}
