import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';

/** As seen from dist/src/catalog/paywall-icons; tests run the sources, in src/catalog/paywall-icons. */
const PLACES = ['../../../paywall-icons', '../../../dist/paywall-icons'];

const contentTypes: Record<string, string | undefined> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '': 'text/plain; charset=utf-8',
};

interface IconFile {
  contentType: string;
  bytes: Buffer;
}

function readFiles(): ReadonlyMap<string, IconFile> {
  const folder = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  const names = folder === undefined ? [] : readdirSync(folder);
  return new Map(
    names.flatMap((name) => {
      const contentType = contentTypes[extname(name)];
      return contentType === undefined || name.startsWith('.')
        ? []
        : [[name, { contentType, bytes: readFileSync(join(folder ?? '', name)) }] as const];
    }),
  );
}

/** The files in `dist/paywall-icons`, about 300 kB, as they were at the first request. */
@Injectable()
export class PaywallIconFilesService {
  private files: ReadonlyMap<string, IconFile> | null = null;

  find(name: string): IconFile | undefined {
    this.files ??= readFiles();
    return this.files.get(name);
  }
}
