import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../database/database.service.js';
import { onTransaction } from '../database/on-transaction.js';
import { statement } from '../database/statement.js';
import { isHere } from './is-here.sql.js';
import { ProjectLocation } from './project-location.entity.js';

const lock = statement('project_locations.lock', 'LOCK TABLE project_locations IN SHARE ROW EXCLUSIVE MODE');

const here = statement('project_locations.is_here', `SELECT 1 WHERE ${isHere('$1')}`);

@Injectable()
export class ProjectLocationsRepository {
  constructor(@InjectRepository(ProjectLocation) private readonly locations: Repository<ProjectLocation>) {}

  all(tx?: Transaction): Promise<ProjectLocation[]> {
    return onTransaction(this.locations, tx).find();
  }

  async isHere(tx: Transaction, projectId: string): Promise<boolean> {
    return (await tx.query(here, [projectId])).length > 0;
  }

  /** Blocks other writers until `tx` ends. */
  async lock(tx: Transaction): Promise<void> {
    await tx.query(lock, []);
  }

  async save(tx: Transaction, location: ProjectLocation): Promise<void> {
    await onTransaction(this.locations, tx).upsert(location, ['projectId']);
  }

  /** Returns false if this deployment already stored the project. */
  async remove(tx: Transaction, projectId: string): Promise<boolean> {
    const { affected } = await onTransaction(this.locations, tx).delete({ projectId });
    return (affected ?? 0) > 0;
  }
}
