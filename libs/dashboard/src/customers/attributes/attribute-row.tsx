import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import type { Schema } from '../../api/types.js';
import { IconButton } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { Time } from '../../ui/format/time.js';
import { useCustomerWrites } from '../actions/customer-writes.js';
import { AttributeForm } from './attribute-form.js';
import { useCustomer } from '../customer-context.js';

/** One attribute with its value, which can be edited in place. */
export function AttributeRow({ attribute }: { attribute: Schema<'CustomerAttributeDto'> }) {
  const { projectId, id, done, failed } = useCustomer();
  const mayEdit = useMay('setCustomerAttributes');
  const { setAttributes } = useCustomerWrites(projectId, id);
  const [isEditing, setIsEditing] = useState(false);
  const { name, value } = attribute;
  const set = (to: string | null) => setAttributes.mutateAsync({ attributes: [{ name, value: to }] });
  const remove = () =>
    set(null).then(() => done({ title: `${name} deleted`, undo: () => set(value) }), failed);
  if (isEditing)
    return (
      <li className="border-t border-line px-4 py-3 first:border-t-0">
        <AttributeForm attribute={attribute} onClose={() => setIsEditing(false)} />
      </li>
    );
  return (
    <li className="flex min-h-9 items-start gap-2 border-t border-line px-4 py-1.5 first:border-t-0">
      <div className="grid min-w-0 flex-1 gap-x-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <span className="min-w-0 text-muted">
          <DataText mono>{name}</DataText>
        </span>
        <span className="min-w-0">
          <DataText>{value}</DataText>
        </span>
      </div>
      <span className="text-sm whitespace-nowrap text-muted">
        <Time ms={attribute.updated_at} />
      </span>
      <span className="flex">
        <IconButton
          size="sm"
          icon="edit"
          label={`Edit ${name}`}
          disabledReason={mayEdit.reason}
          onClick={() => setIsEditing(true)}
        />
        <IconButton
          size="sm"
          icon="trash"
          label={`Delete ${name}`}
          disabledReason={mayEdit.reason}
          busy={setAttributes.isPending}
          onClick={() => void remove()}
        />
      </span>
    </li>
  );
}
