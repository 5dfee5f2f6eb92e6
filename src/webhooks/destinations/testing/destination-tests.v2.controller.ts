import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { DestinationPreviewsService } from './destination-previews.service.js';
import { DestinationPreviewDto, DestinationTestDto, PreviewDestinationDto } from './destination-test.dto.js';
import { presentDestinationPreview, presentDestinationTest } from './destination-test.presenter.js';
import { DestinationTestsService } from './destination-tests.service.js';

@ApiTags('Destinations')
@Controller('v2/projects/:project_id/integrations/destinations/:destination_id')
export class DestinationTestsV2Controller {
  constructor(
    private readonly tests: DestinationTestsService,
    private readonly previews: DestinationPreviewsService,
  ) {}

  @Post('test')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'testDestination',
    summary: 'Test a destination',
    description:
      'Sends a test event to the tool and returns its answer, also while the destination is paused. Takes up to 10 seconds.',
    ok: DestinationTestDto,
    errors: {
      422: 'A setting is missing without which the tool takes no test event.',
      429: 'More than 10 tests in a minute.',
    },
  })
  async test(
    @CurrentWrite() write: ProjectWrite,
    @Param('destination_id') id: string,
  ): Promise<DestinationTestDto> {
    return presentDestinationTest(await this.tests.run(write, id));
  }

  // Shows personal data, like a delivery.
  @Post('preview')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'previewDestination',
    summary: 'Preview the requests of a destination',
    description:
      'What the destination would send for an event of the project or for a sample of a kind, without secrets. Sends nothing and stores nothing.',
    ok: DestinationPreviewDto,
    errors: { 422: 'The stored keys cannot be read.' },
  })
  async preview(
    @Param('project_id') projectId: string,
    @Param('destination_id') id: string,
    @Body() body: PreviewDestinationDto,
  ): Promise<DestinationPreviewDto> {
    return presentDestinationPreview(await this.previews.of(projectId, id, body));
  }
}
