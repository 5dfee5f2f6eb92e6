import { queryOptions, useMutation } from '@tanstack/react-query';
import { type CallError, errorOf } from '../../api/call-error.js';
import { api, call } from '../../api/client.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { pathOf } from '../organizations.queries.js';
import { type Verification, verifyExport } from './verify-export.js';

export interface ExportRequest {
  kind: 'audit_logs' | 'access_review';
  format: 'csv' | 'json';
  period: { start_time?: number; end_time?: number };
}

export interface DownloadedExport {
  name: string;
  blob: Blob;
  signature: string | null;
  publicKey: string | null;
  verification: Verification;
}

const readKey = (orgId: string, signal?: AbortSignal) =>
  call(api.GET('/v2/organizations/{org_id}/exports/public_key', { params: pathOf(orgId), signal }));

export const exportKeyQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...organizationKey(orgId), 'export-key'],
    queryFn: ({ signal }) => readKey(orgId, signal),
  });

const types = { csv: 'text/csv', json: 'application/json' };

/** Reads the file as raw bytes, because the signature covers them. @throws CallError */
async function downloadExport(
  orgId: string,
  { kind, format, period }: ExportRequest,
): Promise<DownloadedExport> {
  const { data, error, response } = await api.GET('/v2/organizations/{org_id}/exports/{kind}', {
    params: { path: { org_id: orgId, kind }, query: { format, ...period } },
    parseAs: 'arrayBuffer',
  });
  if (!response.ok || data === undefined) throw errorOf(response, error);
  const signature = response.headers.get('x-service-export-signature');
  const { public_key: publicKey } = await readKey(orgId);
  const verification = await verifyExport({
    bytes: data,
    sha256: response.headers.get('x-service-export-sha256'),
    signature,
    publicKey,
  });
  return {
    name: `${kind === 'audit_logs' ? 'audit-log' : 'access-review'}.${format}`,
    blob: new Blob([data], { type: types[format] }),
    signature,
    publicKey,
    verification,
  };
}

export const useDownloadExport = (orgId: string) =>
  useMutation<DownloadedExport, CallError, ExportRequest>({
    mutationFn: (request) => downloadExport(orgId, request),
    gcTime: 0,
  });
