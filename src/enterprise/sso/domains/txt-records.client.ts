import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** Real domains have fewer records per name. */
const MAX_RECORDS = 50;
const MAX_LENGTH = 1_000;
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);

/** Looks up TXT records at the configured name servers or the system's. */
@Injectable()
export class TxtRecordsClient {
  private readonly resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  constructor(config: Config) {
    if (config.dnsServers.length > 0) this.resolver.setServers(config.dnsServers);
  }

  /** Returns the records of a name, each with its parts joined; null if no name server answered. */
  async find(name: string): Promise<string[] | null> {
    try {
      const records = await this.resolver.resolveTxt(name);
      return records
        .slice(0, MAX_RECORDS)
        .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed().slice(0, MAX_LENGTH));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return NOTHING_THERE.has(code ?? '') ? [] : null;
    }
  }
}
