import { useQuery } from '@tanstack/react-query';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { isArchived, type Product } from '../catalog.types.js';
import { allEntitlementsQuery } from '../../api/entitlements.queries.js';
import { unlocks } from '../entitlements/entitlements.queries.js';
import { UnlockBox } from '../entitlements/unlock-box.js';

/** All entitlements, and whether the product unlocks each. */
export function ProductUnlocks({ projectId, product }: { projectId: string; product: Product }) {
  const query = useQuery(allEntitlementsQuery(projectId));
  return (
    <Panel title="Entitlements" description="Each change is saved at once.">
      <QueryPanel query={query} queryKey={allEntitlementsQuery(projectId).queryKey}>
        {(all) => {
          const shown = all.filter((each) => !isArchived(each) || unlocks(each, product));
          if (shown.length === 0) return <p className="text-muted">There are no entitlements yet.</p>;
          return (
            <ul className="grid gap-1.5">
              {shown.map((entitlement) => (
                <li key={entitlement.id}>
                  <UnlockBox {...{ projectId, entitlement, product }}>
                    <DataText>{entitlement.display_name}</DataText>
                    <DataText mono className="text-muted">
                      {entitlement.lookup_key}
                    </DataText>
                  </UnlockBox>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryPanel>
    </Panel>
  );
}
