import { csv } from './csv.js';

/** Saves a text or blob as a file. The name must not come from data. */
export function download(name: string, content: string | Blob, type = 'text/plain') {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Saves rows as a CSV file. */
export function downloadCsv(name: string, ...table: Parameters<typeof csv>) {
  download(name, csv(...table), 'text/csv');
}
