import type { ProjectDto, ProjectSettingsDto } from './project.dto.js';
import type { Project } from './project.entity.js';

export function presentProject(project: Pick<Project, 'id' | 'name' | 'createdAt'>): ProjectDto {
  return {
    object: 'project',
    id: project.id,
    name: project.name,
    created_at: project.createdAt.getTime(),
    // API clients expect these fields, but projects have no icons.
    icon_url: null,
    icon_url_large: null,
  };
}

export function presentProjectSettings(project: Project): ProjectSettingsDto {
  return {
    ...presentProject(project),
    transfer_behavior: project.transferBehavior,
    sandbox_transfer_behavior: project.sandboxTransferBehavior,
    week_starts_on: project.weekStartsOn,
    chart_attributes: project.chartAttributes,
    experiment_holdout_percentage: project.experimentHoldoutPercentage,
    outside_purchase_tax_rates: project.outsidePurchaseTaxRates,
    sdk_events: project.sdkEvents,
  };
}
