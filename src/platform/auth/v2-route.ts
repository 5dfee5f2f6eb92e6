import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  type ApiResponseNoStatusOptions,
} from '@nestjs/swagger';
import { V2ErrorDto } from '../http/error.dto.js';
import type { Permission } from '../principal/permissions.js';
import { RequirePermission } from './access.js';

type Answer = Type<unknown> | ApiResponseNoStatusOptions;

export interface V2RouteOptions {
  /** All of them are needed. Without it, the route has an access decorator of its own. */
  permission?: Permission | [Permission, ...Permission[]];
  /** Unique; generated clients name the method after it. */
  operationId: string;
  summary: string;
  description?: string;
  /** The body of a 200. */
  ok?: Answer;
  /** The body of a 201. */
  created?: Answer;
  /** What each status means here, besides the ones that every route can answer. */
  errors?: Record<number, string>;
}

/** One route of REST v2: who may call it, and what the OpenAPI document says about it. */
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
