import { fileEndings, type FileFormat } from '../../../datasets/dataset.model.js';

export interface NameParts {
  prefix: string;
  /** Unix seconds of the snapshot. */
  second: number;
}

function folderOf({ prefix, second }: NameParts): string {
  const day = new Date(second * 1000).toISOString().slice(0, 10);
  return prefix === '' ? day : `${prefix}/${day}`;
}

/** @param part from 1: a data set may have several files */
export function fileKey(
  parts: NameParts,
  dataset: string,
  format: FileFormat,
  part: number,
  isRedelivered = false,
): string {
  const again = isRedelivered ? '_redelivered' : '';
  const number = part === 1 ? '' : `_${String(part).padStart(3, '0')}`;
  return `${folderOf(parts)}/${dataset}_${parts.second}${again}${number}${fileEndings[format]}`;
}

export function manifestKey(parts: NameParts): string {
  return `${folderOf(parts)}/manifest_${parts.second}.json`;
}
