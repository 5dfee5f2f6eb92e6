import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { DataText } from '../ui/text/data-text.js';
import { Icon } from '../ui/icons.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Time } from '../ui/format/time.js';
import { useCustomer } from './customer-context.js';
import { blocksQuery } from './customers.queries.js';

/** Shows who blocked the customer, when and why. */
export function BlockedNote({ aliases }: { aliases: readonly string[] }) {
  const { projectId, id, open } = useCustomer();
  const mayUnblock = useMay('unblockCustomer');
  const options = blocksQuery(projectId, id, aliases);
  const query = useQuery(options);
  return (
    <section
      aria-label="Blocked"
      className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-md border border-bad/40 bg-bad/8 px-4 py-3"
    >
      <Icon name="ban" className="mt-0.5 text-bad" />
      <div className="min-w-0 flex-1">
        <QueryPanel query={query} queryKey={options.queryKey}>
          {(blocks) =>
            blocks.map((block) => (
              <div key={block.id}>
                <p>
                  Blocked <DataText mono>{block.app_user_id}</DataText>,{' '}
                  <Time ms={block.blocked_at} show="full" /> by{' '}
                  <DataText>{block.blocked_by.email ?? block.blocked_by.id}</DataText>
                </p>
                <p className="text-muted">
                  {block.note ? <DataText>{block.note}</DataText> : 'No note was left.'}
                </p>
              </div>
            ))
          }
        </QueryPanel>
      </div>
      <Button size="sm" disabledReason={mayUnblock.reason} onClick={() => open({ kind: 'unblock' })}>
        Unblock
      </Button>
    </section>
  );
}
