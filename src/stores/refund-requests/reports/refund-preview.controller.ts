import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { PreviewRefundPoliciesDto, RefundPolicyPreviewDto } from './refund-preview.dto.js';
import { presentPreview } from './refund-preview.presenter.js';
import { RefundPreviewService } from './refund-preview.service.js';

@ApiTags('Refunds')
@Controller('v2/projects/:project_id/refund_policies/actions/preview')
export class RefundPreviewController {
  constructor(private readonly previews: RefundPreviewService) {}

  @Post()
  @V2Route({
    permission: ['project_configuration:apps:read', 'customer_information:purchases:read'],
    operationId: 'previewRefundPolicies',
    summary: 'Preview refund policies',
    description:
      'Decides about the refund requests of the last days again, by the given or the saved policies, with the values stored at the time. Changes nothing.',
    ok: RefundPolicyPreviewDto,
  })
  async preview(
    @Param('project_id') projectId: string,
    @Body() body: PreviewRefundPoliciesDto,
  ): Promise<RefundPolicyPreviewDto> {
    return presentPreview(await this.previews.preview(projectId, body));
  }
}
