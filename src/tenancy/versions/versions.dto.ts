import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { WordsField } from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo } from '../../platform/api/paging/pagination';
import { MAX_FIELD_ERRORS, Problem } from '../../platform/api/problems/problem';
import { BodyErrorDto } from '../../platform/api/problems/problem.dto';
import { integer } from '../../platform/api/fields/schemas';
import { INT4_MAX } from '../../settings/readers';
import { Integer, Many, One, Text, Time } from '../../platform/api/fields/shown';
import { Actor } from '../access/actor';
import type { VersionListItem } from './versions';

export class PublishDto {
  @WordsField({
    description: 'What is new and why, for your team. It is kept with the version.',
    example: 'Half price for 3 months instead of 2.',
    max: 1000,
    optional: true,
  })
  note?: string;
}

export const ApiPublishing = () =>
  ApiExamples(PublishDto, {
    'with a note': { note: 'Half price for 3 months instead of 2.' },
    'without one': {},
  });

export class VersionListItemDto implements VersionListItem {
  @Integer.like(1, 1)
  version: number;

  @Text.orNull(1000, 'What was new and why; null without a note.', 'Half price for 3 months instead of 2.')
  note: string | null;

  @One.orNull(Actor, 'Who made it live; null for the service itself.')
  published_by: Actor | null;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;
}

export class VersionListDto extends PageInfo {
  @Many(VersionListItemDto, MAX_PAGE)
  versions: VersionListItemDto[];

  static of({ items, next_cursor }: Page<VersionListItem>): VersionListDto {
    return { versions: items, next_cursor };
  }
}

/** The fields of every draft, beside its content. */
export class DraftStateDto {
  @Integer(1, 'The version that was live when the draft was begun.', 1)
  based_on_version: number;

  @Integer(
    1,
    'The version that is live now. If it is another, publishing takes `If-Match`, or is 409 `version_changed`.',
    1,
  )
  current_version: number;

  @One(Actor, 'Who changed the draft last.')
  updated_by: Actor;

  @Time.like('2026-11-21T09:30:00.000Z')
  updated_at: Date;

  @Many(BodyErrorDto, MAX_FIELD_ERRORS, 'Why it cannot be published yet, each with a JSON Pointer into the draft.', [])
  faults: BodyErrorDto[];
}

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
