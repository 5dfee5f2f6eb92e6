import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../../platform/config/config.js';
import { settings } from '../../platform/config/config.schema.js';
import { LogService } from '../../platform/observability/log.service.js';
import { BuiltDashboard } from './built-dashboard.js';

/** As seen from dist/src/dashboard/pages; tests run the sources, in src/dashboard/pages. */
const PLACES = ['../../../dashboard', '../../../dist/dashboard'];

function builtDashboard(): BuiltDashboard | null {
  const folder = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) =>
    existsSync(join(place, 'index.html')),
  );
  return folder === undefined ? null : new BuiltDashboard(folder);
}

/** The built dashboard in `dist/dashboard`. */
@Injectable()
export class DashboardFilesService {
  private readonly files: BuiltDashboard | null;

  constructor(config: Config, log: LogService) {
    this.files = config.dashboard ? builtDashboard() : null;
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
    this.files?.sendPage(response);
    return this.files !== null;
  }

  /** Sends the page that renders paywalls in the editor. Returns false if there is none. */
  sendPreview(response: Response): boolean {
    this.files?.sendPreview(response);
    return this.files !== null;
  }

  /** Returns false if the file does not exist. */
  sendAsset(request: Request, response: Response): boolean {
    return this.files?.sendAsset(request, response) ?? false;
  }
}
