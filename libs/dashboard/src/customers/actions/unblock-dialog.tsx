import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { KeyValues } from '../../ui/key-values.js';
import { DataText } from '../../ui/text/data-text.js';
import { useSummary } from '../use-summary.js';
import { useCustomer } from '../customer-context.js';
import { blocksQuery } from '../customers.queries.js';
import { useBlockWrites } from './block-writes.js';

/** Unblocks all ids of the customer. */
export function UnblockDialog({ onClose }: { onClose: () => void }) {
  const { projectId, id, done } = useCustomer();
  const { block, unblock } = useBlockWrites(projectId);
  const { data: summary } = useSummary(projectId, id);
  const { data: blocks = [] } = useQuery(blocksQuery(projectId, id, summary?.items[0]?.aliases ?? [id]));
  const ids = blocks.length > 0 ? blocks.map(({ app_user_id: blocked }) => blocked) : [id];
  const unblockAll = async () => {
    for (const blocked of ids) await unblock.mutateAsync(blocked);
    onClose();
    const [first] = blocks;
    const undo = () => block.mutateAsync({ app_user_id: ids[0] ?? id, note: first?.note ?? null });
    done({ title: 'Customer unblocked', undo, target: ids[0] });
  };
  const form = useForm({
    initial: {},
    write: unblock,
    onSubmit: () => void unblockAll().catch(() => undefined),
  });
  return (
    <FormDialog
      title="Unblock this customer"
      effect="Their purchases and grants give access again at once."
      submit="Unblock customer"
      form={form}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/blocked_customers/{app_user_id}',
        path: { project_id: projectId, app_user_id: ids[0] ?? id },
      }}
      onClose={onClose}
    >
      <KeyValues
        items={blocks.map(({ app_user_id: blocked, note }) => [
          <DataText key="id" mono>
            {blocked}
          </DataText>,
          <DataText key="note">{note}</DataText>,
        ])}
      />
    </FormDialog>
  );
}
