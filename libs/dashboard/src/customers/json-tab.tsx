import { useQuery } from '@tanstack/react-query';
import { CodeBlock } from '../ui/code-block.js';
import { QueryPanel } from '../ui/query-panel.js';
import { useCustomer } from './customer-context.js';
import { customerQuery } from './customers.queries.js';
import { text } from './customers.text.js';

/** The customer as the API answers. */
export function JsonTab() {
  const { projectId, id } = useCustomer();
  const options = customerQuery(projectId, id);
  const query = useQuery(options);
  return (
    <QueryPanel query={query} queryKey={options.queryKey}>
      {(customer) => (
        <div className="px-4 pb-4">
          <CodeBlock label={text.json.label} code={JSON.stringify(customer, null, 2)} />
        </div>
      )}
    </QueryPanel>
  );
}
