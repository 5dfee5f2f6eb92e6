import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  AdvanceTestClockDto,
  AttachCustomerDto,
  CreateTestClockDto,
  DeletedTestClockDto,
  TestClockDto,
  TestClockListDto,
  UpdateTestClockDto,
} from './test-clock.dto.js';
import { presentTestClock } from './test-clock.presenter.js';
import { TestClocksService } from './test-clocks.service.js';

@ApiTags('Test clocks')
@Controller('v2/projects/:project_id/test_clocks')
export class TestClocksController {
  constructor(private readonly clocks: TestClocksService) {}

  @Get()
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'listTestClocks',
    summary: 'List test clocks',
    description: 'The test clocks of the project, oldest first.',
    ok: TestClockListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<TestClockListDto> {
    const rows = await this.clocks.page(projectId, page);
    return listPage(request, page, rows, presentTestClock, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'createTestClock',
    summary: 'Create a test clock',
    description:
      'Creates a clock that stops until you advance it. Attached Test Store customers follow its time.',
    created: TestClockDto,
  })
  async create(@CurrentWrite() write: ProjectWrite, @Body() body: CreateTestClockDto): Promise<TestClockDto> {
    return presentTestClock(await this.clocks.create(write, body.name, body.frozen_time, body.plan));
  }

  @Get(':test_clock_id')
  @V2Route({
    permission: 'customer_information:customers:read',
    operationId: 'getTestClock',
    summary: 'Get a test clock',
    description: 'A test clock with its time, its plan, and whether it is advancing.',
    ok: TestClockDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('test_clock_id') id: string,
  ): Promise<TestClockDto> {
    return presentTestClock(await this.clocks.get(projectId, id));
  }

  @Post(':test_clock_id')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'updateTestClock',
    summary: 'Change a test clock',
    description:
      'Changes the name or the plan of a test clock. A new plan decides what happens at the end of the current and later periods.',
    ok: TestClockDto,
    errors: { 409: 'The clock is advancing by its current plan.' },
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('test_clock_id') id: string,
    @Body() body: UpdateTestClockDto,
  ): Promise<TestClockDto> {
    return presentTestClock(await this.clocks.update(write, id, body));
  }

  @Delete(':test_clock_id')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'deleteTestClock',
    summary: 'Delete a test clock',
    description: 'Deletes a test clock, and its customers with everything that belongs to them.',
    ok: DeletedTestClockDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('test_clock_id') id: string,
  ): Promise<DeletedTestClockDto> {
    return { object: 'test_clock', id, deleted_at: await this.clocks.delete(write, id) };
  }

  @Post(':test_clock_id/actions/advance')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'advanceTestClock',
    summary: 'Advance a test clock',
    description:
      'Moves a test clock forward. It is `advancing` until everything due for its customers has happened, in order and each at its own time, and then `ready`.',
    ok: TestClockDto,
    errors: { 409: 'The clock is already advancing.' },
  })
  async advance(
    @CurrentWrite() write: ProjectWrite,
    @Param('test_clock_id') id: string,
    @Body() body: AdvanceTestClockDto,
  ): Promise<TestClockDto> {
    return presentTestClock(await this.clocks.advance(write, id, body.frozen_time));
  }

  @Post(':test_clock_id/actions/attach_customer')
  @V2Route({
    permission: 'customer_information:customers:read_write',
    operationId: 'attachCustomerToTestClock',
    summary: 'Attach a customer to a test clock',
    description:
      'Attaches a customer to a test clock permanently. A customer with Test Store purchases or grants can be attached if the clock is not behind real time; the clock then advances until the customer has caught up with it.',
    ok: TestClockDto,
    errors: { 409: 'The clock is advancing.', 422: 'The customer cannot be attached to the clock.' },
  })
  async attach(
    @CurrentWrite() write: ProjectWrite,
    @Param('test_clock_id') id: string,
    @Body() body: AttachCustomerDto,
  ): Promise<TestClockDto> {
    return presentTestClock(await this.clocks.attach(write, id, body.customer_id));
  }
}
