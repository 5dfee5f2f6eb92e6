import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { AttributeForm } from './attribute-form.js';
import { AttributeRow } from './attribute-row.js';
import { useCustomer } from '../customer-context.js';
import { customerQuery } from '../customers.queries.js';

/** Attributes set by apps and backends, editable in place. */
export function AttributesPanel() {
  const { projectId, id } = useCustomer();
  const mayEdit = useMay('setCustomerAttributes');
  const [isAdding, setIsAdding] = useState(false);
  const options = customerQuery(projectId, id);
  const query = useQuery(options);
  const add = (
    <Button
      size="sm"
      icon="plus"
      disabledReason={mayEdit.reason}
      aria-expanded={isAdding}
      onClick={() => setIsAdding(true)}
    >
      Add attribute
    </Button>
  );
  return (
    <Panel title="Attributes" padded={false} actions={add}>
      <QueryPanel query={query} queryKey={options.queryKey}>
        {({ attributes }) => (
          <>
            {isAdding && (
              <div className="border-b border-line px-4 py-3">
                <AttributeForm onClose={() => setIsAdding(false)} />
              </div>
            )}
            {attributes && attributes.items.length > 0 ? (
              <ul aria-label="Attributes" className="lg:max-h-[34rem] lg:overflow-y-auto">
                {attributes.items.map((attribute) => (
                  <AttributeRow key={attribute.name} attribute={attribute} />
                ))}
              </ul>
            ) : (
              !isAdding && <EmptyState sentence="No attributes. Apps and your backend can set them." />
            )}
          </>
        )}
      </QueryPanel>
    </Panel>
  );
}
