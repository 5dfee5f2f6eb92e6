import { useMutation } from '@tanstack/react-query';
import { type CallError, errorOf } from '../../api/call-error.js';
import { api } from '../../api/client.js';
import type { Query } from '../../api/types.js';

export type DownloadQuery = Query<'downloadExportDataset'>;

export interface DownloadedFile {
  name: string;
  blob: Blob;
}

const fileName = /filename="?([A-Za-z0-9._-]+)"?/;

/** Reads a data set as the server streams it; the browser may store it on disk. @throws CallError */
async function downloadExportDataset(projectId: string, query: DownloadQuery): Promise<DownloadedFile> {
  const { data, error, response } = await api.GET('/v2/projects/{project_id}/integrations/exports/download', {
    params: { path: { project_id: projectId }, query },
    parseAs: 'blob',
  });
  if (!response.ok || data === undefined) throw errorOf(response, error);
  const [, name] = fileName.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const ending = query.format === 'parquet' ? 'parquet' : 'csv.gz';
  return { name: name ?? `${query.dataset}.${ending}`, blob: data };
}

export const useDownloadDataset = (projectId: string) =>
  useMutation<DownloadedFile, CallError, DownloadQuery>({
    mutationFn: (query) => downloadExportDataset(projectId, query),
    gcTime: 0,
  });
