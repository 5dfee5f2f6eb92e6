import type { ExportDestination } from '../exports.queries.js';

export type Kind = ExportDestination['kind'];

export const kindLabels: Record<Kind, string> = {
  s3: 'Amazon S3 or compatible',
  gcs: 'Google Cloud Storage',
  azure: 'Azure Blob Storage',
  sftp: 'SFTP server',
  local: 'Folder on this server',
};

export const kinds = Object.keys(kindLabels) as Kind[];

/** Where the files of a destination are stored, as people write it. */
export function placeOf({ s3, gcs, azure, sftp, prefix }: ExportDestination): string {
  if (s3) return joined(`s3://${s3.bucket}`, prefix);
  if (gcs) return joined(`gs://${gcs.bucket}`, prefix);
  if (azure) return joined(azure.container_url ?? azure.container ?? '', prefix);
  if (sftp) return joined(joined(`sftp://${sftp.username}@${sftp.host}`, sftp.folder), prefix);
  return prefix === '' ? '/' : prefix;
}

const joined = (place: string, folder: string): string =>
  folder === '' ? place : `${place.replace(/\/$/, '')}/${folder.replace(/^\//, '')}`;
