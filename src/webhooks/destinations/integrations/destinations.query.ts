import type { DestinationType } from '../../../../libs/destinations/index.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import { ChoiceParameter } from '../../../platform/http/lists/query-parameters.js';
import { destinationTypes } from './destination.dto.js';

export class ListDestinationsQuery extends PageQuery {
  @ChoiceParameter(destinationTypes, { description: 'Only destinations of this type. Default: any.' })
  type: DestinationType | null;
}
