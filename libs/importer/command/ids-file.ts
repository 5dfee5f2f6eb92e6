import { readFile } from 'node:fs/promises';
import { isJsonObject } from '../../kernel/index.js';
import { WrongUsage } from './outcome.js';

/**
 * Reads the ids of `--ids`: a JSON array, one per line, or a verify report. @throws WrongUsage for any
 * other file
 */
export async function readIds(file: string): Promise<string[]> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw new WrongUsage(`--ids: ${file} cannot be read: ${(error as Error).message}`);
  }
  const trimmed = text.trim();
  const ids = trimmed.startsWith('[') || trimmed.startsWith('{') ? idsOfJson(trimmed, file) : lines(text);
  return [...new Set(ids)];
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '');
}

function idsOfJson(text: string, file: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WrongUsage(`--ids: ${file} is not valid JSON.`);
  }
  const list = isJsonObject(value) ? value.differences : value;
  if (!Array.isArray(list)) throw new WrongUsage(`--ids: ${file} holds no list of ids.`);
  return list.map((item: unknown) => {
    const id = isJsonObject(item) ? item.id : item;
    if (typeof id !== 'string') throw new WrongUsage(`--ids: ${file} holds something other than ids.`);
    return id;
  });
}
