import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  type ApiResponseNoStatusOptions,
} from '@nestjs/swagger';
import { V2ErrorDto } from '../http/errors/error.dto.js';
import type { Permission } from '../principal/permissions.js';
import { RequirePermission } from './access.js';

type Answer = Type<unknown> | ApiResponseNoStatusOptions;

export interface V2RouteOptions {
  /** All are required. Without it, the route needs its own access decorator. */
  permission?: Permission | [Permission, ...Permission[]];
  /** Unique; generated clients use it as the method name. */
  operationId: string;
  summary: string;
  description?: string;
  /** The body of a 200. */
  ok?: Answer;
  /** The body of a 201. */
  created?: Answer;
  /** Descriptions by status, in addition to the errors that every route can return. */
  errors?: Record<number, string>;
}

/** One route of REST v2: access rule and OpenAPI documentation. */
export function V2Route({
  permission,
  ok,
  created,
  errors = {},
  ...operation
}: V2RouteOptions): MethodDecorator {
  return applyDecorators(
    ...Object.entries(errors).map(([status, description]) =>
      ApiResponse({ status: Number(status), type: V2ErrorDto, description }),
    ),
    ...(ok ? [ApiOkResponse(optionsOf(ok)), HttpCode(200)] : []),
    ...(created ? [ApiCreatedResponse(optionsOf(created)), HttpCode(201)] : []),
    ApiOperation(operation),
    ...(permission ? [RequirePermission(...listOf(permission))] : []),
  );
}

function optionsOf(answer: Answer): ApiResponseNoStatusOptions {
  return typeof answer === 'function' ? { type: answer } : answer;
}

function listOf(permission: Permission | [Permission, ...Permission[]]): [Permission, ...Permission[]] {
  return typeof permission === 'string' ? [permission] : permission;
}
