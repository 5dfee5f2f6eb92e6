import { CallError, errorOf } from '../../api/call-error.js';
import { api } from '../../api/client.js';
import { download } from '../../ui/format/download.js';

/** Saves the stored data of a customer as a file. @throws CallError, also if the export is incomplete */
export async function exportCustomer(projectId: string, id: string, signal: AbortSignal): Promise<void> {
  const { data, error, response } = await api.GET(
    '/v2/projects/{project_id}/customers/{customer_id}/export',
    {
      params: { path: { project_id: projectId, customer_id: id } },
      parseAs: 'text',
      signal,
    },
  );
  if (!response.ok || data === undefined) throw errorOf(response, error);
  const last = data.trimEnd().split('\n').at(-1) ?? '';
  if (!last.includes('"customer_export.end"'))
    throw new CallError('The export was interrupted. Start it again.');
  download('customer-export.jsonl', data, 'application/x-ndjson');
}
