import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import sirv from 'sirv';
import { pageHeaders } from './page-headers.js';

const ICON = 'src/icon.svg';
const STYLESHEET = 'src/styles/pages.css';
/** Names of assets hold the hash of their contents. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The files of a folder that a build of the dashboard wrote, as they were when this was made. */
export class BuiltDashboard {
  /** Path of the icon. */
  readonly icon: string;
  /** Path of the style sheet of pages without script. */
  readonly stylesheet: string;
  private readonly html: Buffer;
  private readonly etag: string;
  private readonly serve: ReturnType<typeof sirv>;

  constructor(folder: string) {
    this.html = readFileSync(join(folder, 'index.html'));
    this.etag = `"${createHash('sha256').update(this.html).digest('base64url').slice(0, 22)}"`;
    const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
      string,
      { file: string } | undefined
    >;
    this.icon = `/${manifest[ICON]?.file ?? ''}`;
    this.stylesheet = `/${manifest[STYLESHEET]?.file ?? ''}`;
    this.serve = sirv(folder, {
      gzip: true,
      brotli: true,
      setHeaders: (response) => response.setHeader('Cache-Control', IMMUTABLE),
    });
  }

  sendPage(response: Response): void {
    response.set(pageHeaders).set('ETag', this.etag).type('html').send(this.html);
  }

  /** Returns false if the file does not exist. */
  sendAsset(request: Request, response: Response): boolean {
    // Nothing here is downloaded in parts.
    delete request.headers.range;
    // A new build can replace the files of a running server. Unheard, the error of a missing one ends the process.
    response.once('pipe', (file: Readable) => file.once('error', () => response.destroy()));
    let isFound = true;
    this.serve(request, response, () => {
      isFound = false;
    });
    return isFound;
  }
}
