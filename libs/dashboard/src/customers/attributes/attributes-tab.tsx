import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { AttributeForm } from './attribute-form.js';
import { AttributeRow } from './attribute-row.js';
import { useCustomer } from '../customer-context.js';
import { customerQuery } from '../customers.queries.js';

/** Attributes set by apps and backends, editable in place. */
export function AttributesTab() {
  const { projectId, id } = useCustomer();
  const mayEdit = useMay('setCustomerAttributes');
  const [isAdding, setIsAdding] = useState(false);
  const options = customerQuery(projectId, id);
  const query = useQuery(options);
  return (
    <QueryPanel query={query} queryKey={options.queryKey}>
      {({ attributes }) => (
        <>
          {attributes && attributes.items.length > 0 ? (
            <ul aria-label="Attributes" className="-mt-4">
              {attributes.items.map((attribute) => (
                <AttributeRow key={attribute.name} attribute={attribute} />
              ))}
            </ul>
          ) : (
            !isAdding && <EmptyState sentence="No attributes. Apps and your backend can set them." />
          )}
          <div className="border-t border-line px-4 py-3">
            {isAdding ? (
              <AttributeForm onClose={() => setIsAdding(false)} />
            ) : (
              <Button size="sm" icon="plus" disabledReason={mayEdit.reason} onClick={() => setIsAdding(true)}>
                Add attribute
              </Button>
            )}
          </div>
        </>
      )}
    </QueryPanel>
  );
}
