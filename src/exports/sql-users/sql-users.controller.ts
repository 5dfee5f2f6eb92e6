import { Body, Controller, Delete, Get, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Clock } from '../../../libs/kernel/index.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { Permission } from '../../platform/principal/permissions.js';
import {
  CreateSqlUserDto,
  DeletedSqlUserDto,
  SqlUserDto,
  SqlUserListDto,
  SqlUserWithPasswordDto,
} from './sql-user.dto.js';
import type { SqlUser } from './sql-user.entity.js';
import { presentSqlUser } from './sql-user.presenter.js';
import { type SqlUserWithPassword, SqlUsersService } from './sql-users.service.js';

/** A SQL user reads the data of all customers. */
const writePermissions: [Permission, ...Permission[]] = [
  'project_configuration:api_keys:read_write',
  'customer_information:customers:read',
  'customer_information:subscriptions:read',
  'customer_information:purchases:read',
];

const unavailable =
  'SQL access is off or has no address, the database role of the server may not create roles, or the project has 20 SQL users.';

@ApiTags('SQL access')
@Controller('v2/projects/:project_id/sql_users')
export class SqlUsersController {
  constructor(
    private readonly users: SqlUsersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:api_keys:read',
    operationId: 'listSqlUsers',
    summary: 'List SQL users',
    description: 'The SQL users of the project, oldest first, without their passwords.',
    ok: SqlUserListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<SqlUserListDto> {
    const rows = await this.users.page(projectId, page);
    const list = listPage(request, page, rows, (user) => this.present(user), placeByCreation);
    return { ...list, access: this.users.access };
  }

  @Post()
  @V2Route({
    permission: writePermissions,
    operationId: 'createSqlUser',
    summary: 'Create a SQL user',
    description:
      'A user of PostgreSQL that can read the views of the schema `tenure_v1`, with the rows of this project only. Only this answer shows the password.',
    created: SqlUserWithPasswordDto,
    errors: { 422: unavailable },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateSqlUserDto,
  ): Promise<SqlUserWithPasswordDto> {
    return this.presentOnce(await this.users.create(write, body));
  }

  @Get(':sql_user_id')
  @V2Route({
    permission: 'project_configuration:api_keys:read',
    operationId: 'getSqlUser',
    summary: 'Get a SQL user',
    description: 'A SQL user without its password.',
    ok: SqlUserDto,
  })
  async get(@Param('project_id') projectId: string, @Param('sql_user_id') id: string): Promise<SqlUserDto> {
    return this.present(await this.users.get(projectId, id));
  }

  @Post(':sql_user_id/actions/rotate')
  @V2Route({
    permission: writePermissions,
    operationId: 'rotateSqlUser',
    summary: 'Replace the password of a SQL user',
    description:
      'Sets a new password, which only this answer shows, and ends all sessions of the user. Allows a blocked user again.',
    ok: SqlUserWithPasswordDto,
    errors: { 422: 'SQL access is off, or the database role of the server may not change roles.' },
  })
  async rotate(
    @CurrentWrite() write: ProjectWrite,
    @Param('sql_user_id') id: string,
  ): Promise<SqlUserWithPasswordDto> {
    return this.presentOnce(await this.users.rotate(write, id));
  }

  @Delete(':sql_user_id')
  @V2Route({
    permission: writePermissions,
    operationId: 'deleteSqlUser',
    summary: 'Delete a SQL user',
    description: 'Ends all sessions of the user and drops its role.',
    ok: DeletedSqlUserDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('sql_user_id') id: string,
  ): Promise<DeletedSqlUserDto> {
    return { object: 'sql_user', id, deleted_at: await this.users.delete(write, id) };
  }

  private present(user: SqlUser): SqlUserDto {
    return presentSqlUser(user, this.clock.nowMs());
  }

  private async presentOnce({
    user,
    password,
    connectionUrl,
  }: SqlUserWithPassword): Promise<SqlUserWithPasswordDto> {
    const warnings = await this.users.warnings(user);
    return { ...this.present(user), password, connection_url: connectionUrl, warnings };
  }
}
