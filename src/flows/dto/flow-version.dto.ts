import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam, ApiProperty } from '@nestjs/swagger';
import { INT4_MAX } from '../../common/limits';
import { MAX_PAGE } from '../../common/pagination';
import { Problem } from '../../common/problem';
import { filledText, ID, integer, TIMESTAMP, WEB_URL } from '../../common/schemas';
import { type FlowDefinition, MAX_NODES } from '../flow-definition';
import { FLOW_MODES, type FlowContent, type FlowMode, type FlowVersion } from '../flow-version.entity';
import { FlowDefinitionDto } from './flow-definition.dto';

/** The number of a version in a path. Anything else is 404. */
@Injectable()
class VersionPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!/^[1-9]\d{0,9}$/.test(value) || Number(value) > INT4_MAX) throw new Problem('not_found');
    return value;
  }
}

/** The version in a route's path, as a parameter of its handler. */
export const PathVersion = (): ParameterDecorator => (target, handler, index) => {
  Param('version', VersionPipe)(target, handler, index);
  const method = Object.getOwnPropertyDescriptor(target, handler!)!;
  const schema = { ...integer(1), example: 1 };
  ApiParam({ name: 'version', description: 'Counts from 1.', schema })(target, handler!, method);
};

export class FlowVersionListItemDto {
  @ApiProperty({ ...integer(1), example: 1 })
  version: number;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  created_at: Date;
}

export class FlowVersionListDto {
  @ApiProperty({ type: [FlowVersionListItemDto], maxItems: MAX_PAGE })
  versions: FlowVersionListItemDto[];

  static of(versions: FlowVersionListItemDto[]): FlowVersionListDto {
    return { versions };
  }
}

/** What customers see of a flow in one of its versions. */
export class FlowVersionDto extends FlowVersionListItemDto implements FlowContent {
  @ApiProperty({ ...filledText(200), example: 'Leaving Acme Pro' })
  name: string;

  @ApiProperty({ ...filledText(200), example: 'Acme Pro' })
  product_name: string;

  @ApiProperty({ ...WEB_URL, example: 'https://acme.example/account/cancel' })
  cancellation_url: string;

  @ApiProperty({ enum: FLOW_MODES, example: 'simple' })
  flow_mode: FlowMode;

  @ApiProperty({ type: 'array', items: ID, maxItems: MAX_NODES, example: [] })
  offer_ids: string[];

  @ApiProperty({ type: FlowDefinitionDto })
  definition: FlowDefinition;

  static of(content: FlowVersion): FlowVersionDto {
    const { version, created_at, name, product_name, cancellation_url, flow_mode, offer_ids, definition } = content;
    return { version, created_at, name, product_name, cancellation_url, flow_mode, offer_ids, definition };
  }
}
