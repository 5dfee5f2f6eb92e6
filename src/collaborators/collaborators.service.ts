import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { type PageRequest, unknownCursor } from '../http/lists.js';
import { CollaboratorsRepository, type Member } from './collaborators.repository.js';

/** The people of a project. */
@Injectable()
export class CollaboratorsService {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(CollaboratorsRepository) private readonly repository: CollaboratorsRepository,
  ) {}

  /**
   * One more than a page, in the order in which people became members.
   * @throws ApiError 400 when `page.after` is no member of the project
   */
  async page(projectId: string, page: PageRequest): Promise<Member[]> {
    if (page.after !== null && !(await this.repository.exists(this.database, projectId, page.after))) {
      throw unknownCursor(page.after);
    }
    return this.repository.page(this.database, projectId, page);
  }
}
