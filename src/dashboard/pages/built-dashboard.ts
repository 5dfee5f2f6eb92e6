import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import sirv from 'sirv';
import { pageHeaders, previewAssetHeaders, previewHeaders } from './page-headers.js';

const ICON = 'src/icon.svg';
const STYLESHEET = 'src/styles/pages.css';
/** The page in the frame of the paywall editor. */
const PREVIEW = 'paywall-preview.html';
/** Names of assets hold the hash of their contents. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

interface Page {
  html: Buffer;
  etag: string;
}

function readPage(file: string): Page {
  const html = readFileSync(file);
  return { html, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` };
}

/** The files of a folder that a build of the dashboard wrote, as they were when this was made. */
export class BuiltDashboard {
  /** Path of the icon. */
  readonly icon: string;
  /** Path of the style sheet of pages without script. */
  readonly stylesheet: string;
  private readonly page: Page;
  private readonly preview: Page;
  private readonly serve: ReturnType<typeof sirv>;

  constructor(folder: string) {
    this.page = readPage(join(folder, 'index.html'));
    this.preview = readPage(join(folder, PREVIEW));
    const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
      string,
      { file: string; assets?: string[] } | undefined
    >;
    this.icon = `/${manifest[ICON]?.file ?? ''}`;
    this.stylesheet = `/${manifest[STYLESHEET]?.file ?? ''}`;
    const { file = '', assets = [] } = manifest[PREVIEW] ?? {};
    const previewAssets = new Set([file, ...assets].map((name) => `/${name}`));
    this.serve = sirv(folder, {
      gzip: true,
      brotli: true,
      setHeaders: (response, path) => {
        response.setHeader('Cache-Control', IMMUTABLE);
        if (previewAssets.has(path)) response.setHeaders(new Map(Object.entries(previewAssetHeaders)));
      },
    });
  }

  sendPage(response: Response): void {
    response.set(pageHeaders).set('ETag', this.page.etag).type('html').send(this.page.html);
  }

  sendPreview(response: Response): void {
    response.set(previewHeaders).set('ETag', this.preview.etag).type('html').send(this.preview.html);
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
