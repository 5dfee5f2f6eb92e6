import { Controller, Delete, Get, Patch, Post, Put, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireProjectAccess } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { type EmptyListDto, emptyList } from './empty-list.js';
import { type RefusedMethod, refusedOperations } from './refused-operations.js';

const PROJECT = 'v2/projects/:project_id';

/** In the order of the list, where fixed segments must precede parameters. */
const refusedPaths = (method: RefusedMethod): string[] =>
  refusedOperations
    .filter((operation) => operation.method === method && operation.answer !== 'empty_list')
    .map(({ path }) => path);

const emptyLists = refusedOperations.filter(({ answer }) => answer === 'empty_list').map(({ path }) => path);

/** Responds before permissions and the body are checked, because no such request can succeed. */
@ApiExcludeController()
@Controller(PROJECT)
export class RefusedOperationsController {
  @Get(emptyLists)
  @RequireProjectAccess()
  list(@Query() page: PageQuery, @Req() request: ApiRequest): EmptyListDto {
    return emptyList(request, page);
  }

  @Get(refusedPaths('GET'))
  @RequireProjectAccess()
  get(@Req() request: ApiRequest): never {
    return refuse(request);
  }

  @Post(refusedPaths('POST'))
  @RequireProjectAccess()
  post(@Req() request: ApiRequest): never {
    return refuse(request);
  }

  @Put(refusedPaths('PUT'))
  @RequireProjectAccess()
  put(@Req() request: ApiRequest): never {
    return refuse(request);
  }

  @Patch(refusedPaths('PATCH'))
  @RequireProjectAccess()
  patch(@Req() request: ApiRequest): never {
    return refuse(request);
  }

  @Delete(refusedPaths('DELETE'))
  @RequireProjectAccess()
  delete(@Req() request: ApiRequest): never {
    return refuse(request);
  }
}

/** @throws ApiError always, with the reason of the matching operation */
function refuse({ method, route }: ApiRequest): never {
  const asked = method === 'HEAD' ? 'GET' : method;
  const { path } = route as { path: string };
  const operation = refusedOperations.find(
    (known) => known.method === asked && path === `/${PROJECT}/${known.path}`,
  );
  if (!operation || operation.answer === 'empty_list') throw new Error(`No operation at ${method} ${path}`);
  throw new ApiError(
    operation.answer,
    `${operation.id} is not available on this server: ${operation.reason}`,
  );
}
