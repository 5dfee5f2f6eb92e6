import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import sirv from 'sirv';
import { Config } from '../../platform/config/config.js';
import { settings } from '../../platform/config/config.schema.js';
import { LogService } from '../../platform/observability/log.service.js';
import { pageHeaders } from './page-headers.js';

/** As seen from dist/src/dashboard/pages; tests run the sources, in src/dashboard/pages. */
const PLACES = ['../../../dashboard', '../../../dist/dashboard'];
const ICON = 'src/icon.svg';
const STYLESHEET = 'src/pages.css';
/** Names of assets hold the hash of their contents. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

interface BuiltFiles {
  html: Buffer;
  etag: string;
  /** Path of the icon. */
  icon: string;
  /** Path of the style sheet of pages without script. */
  stylesheet: string;
  serve: ReturnType<typeof sirv>;
}

function builtFiles(): BuiltFiles | null {
  const folder = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) =>
    existsSync(join(place, 'index.html')),
  );
  if (folder === undefined) return null;
  const html = readFileSync(join(folder, 'index.html'));
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string } | undefined
  >;
  return {
    html,
    etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
    icon: `/${manifest[ICON]?.file ?? ''}`,
    stylesheet: `/${manifest[STYLESHEET]?.file ?? ''}`,
    serve: sirv(folder, {
      gzip: true,
      brotli: true,
      setHeaders: (response) => response.setHeader('Cache-Control', IMMUTABLE),
    }),
  };
}

/** The built dashboard in `dist/dashboard`. */
@Injectable()
export class DashboardFilesService {
  private readonly files: BuiltFiles | null;

  constructor(config: Config, log: LogService) {
    this.files = config.dashboard ? builtFiles() : null;
    if (config.dashboard && this.files === null) {
      log.warn(
        { setting: settings.dashboard.variable },
        'dist/dashboard is missing; the dashboard is not served',
      );
    }
  }

  /** False if it is switched off or was not built. */
  get areServed(): boolean {
    return this.files !== null;
  }

  get iconPath(): string | null {
    return this.files?.icon ?? null;
  }

  /** For the pages that the server renders itself. */
  get stylesheetPath(): string | null {
    return this.files?.stylesheet ?? null;
  }

  /** Sends the one HTML page of the dashboard. Returns false if there is none. */
  sendPage(response: Response): boolean {
    if (this.files === null) return false;
    response.set(pageHeaders).set('ETag', this.files.etag).type('html').send(this.files.html);
    return true;
  }

  /** Returns false if the file does not exist. */
  sendAsset(request: Request, response: Response): boolean {
    if (this.files === null) return false;
    // Nothing here is downloaded in parts.
    delete request.headers.range;
    // A new build can replace the files of a running server. Unheard, the error of a missing one ends the process.
    response.once('pipe', (file: Readable) => file.once('error', () => response.destroy()));
    let isFound = true;
    this.files.serve(request, response, () => {
      isFound = false;
    });
    return isFound;
  }
}
