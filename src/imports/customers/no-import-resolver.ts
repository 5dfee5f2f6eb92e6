import { Injectable } from '@nestjs/common';
import { ImportResolver, type Resolutions } from './import-resolver.js';

/** Leaves keys as they were imported. */
@Injectable()
export class NoImportResolver extends ImportResolver {
  resolve(): Promise<Resolutions> {
    return Promise.resolve(new Map());
  }

  later(): Promise<void> {
    return Promise.resolve();
  }
}
