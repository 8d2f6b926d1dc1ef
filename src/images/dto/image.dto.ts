import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Field, type FieldOptions, ObjectField, QueryBooleanField, WordsField } from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { withValues } from '../../platform/text/placeholders';
import { anyText, HTTPS_URL } from '../../platform/api/fields/schemas';
import { Choice, Id, Integer, Many, Text, Time } from '../../platform/api/fields/shown';
import { isText, isWebUrl } from '../../platform/api/fields/text';
import type { Image } from '../image.entity';
import { IMAGE_TYPES, type ImageType, MAX_ALT, MAX_IMAGE_SIDE, MAX_POINT, MAX_POINTS } from '../image-limits';
import { idIn, pathOf } from '../image-path';

const URL_OF_IMAGE = {
  description:
    'The `url` of a picture that was uploaded, or an https URL at a host among the `image_hosts` of the workspace.',
  example: '/images/5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b',
};

export class PageImageDto {
  @Field(
    URL_OF_IMAGE,
    { type: 'string', maxLength: HTTPS_URL.maxLength },
    'must be the url of an uploaded picture, like /images/5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b, or an https URL of at most 2048 characters',
    (value) =>
      isText(value, HTTPS_URL.maxLength) && (idIn(value) !== undefined || (isWebUrl(value) && /^https:/i.test(value))),
  )
  url: string;

  @WordsField({
    description: 'Describes the picture for customers who cannot see it. It may be blank only in the draft of a flow.',
    example: 'A map of the tours that you have saved',
    max: MAX_ALT,
    blank: true,
  })
  alt: string;
}

/** A picture at the top of a page. */
export function PageImageField(options: Pick<FieldOptions, 'default'> = {}) {
  const description = 'A picture above the heading; null: none.';
  return ObjectField({ description, of: () => PageImageDto, optional: true, nullable: true, ...options });
}

/** A picture that was uploaded. */
export class ImageDto {
  @Id(
    'Made of the content: the same picture has the same id in every workspace.',
    '5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b',
  )
  id: string;

  @Text(60, 'What `image.url` takes: a path on this service.', '/images/5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b')
  url: string;

  @Choice(IMAGE_TYPES, 'By its content.', 'image/png')
  type: ImageType;

  @Integer(1, `In pixels, ${MAX_IMAGE_SIDE} at most.`, 920)
  width: number;

  @Integer(1, `In pixels, ${MAX_IMAGE_SIDE} at most.`, 320)
  height: number;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;

  static of(image: Pick<Image, 'id' | 'type' | 'width' | 'height' | 'created_at'>): ImageDto {
    return { ...pick(image, ['id', 'type', 'width', 'height', 'created_at']), url: pathOf(image.id) };
  }
}

export class ImageListDto extends PageInfo {
  @Many(ImageDto, MAX_PAGE, 'Newest first.')
  images: ImageDto[];

  static of({ items, next_cursor }: Page<Parameters<typeof ImageDto.of>[0]>): ImageListDto {
    return { images: items.map((image) => ImageDto.of(image)), next_cursor };
  }
}

export class DeleteImageQuery {
  @QueryBooleanField({
    description: 'true: deletes it although it is shown. Flows and offers that show it go on without it.',
    default: false,
    optional: true,
  })
  force: boolean = false;
}

export class UploadedImageDto extends PickType(ImageDto, ['id', 'url']) {}

/** The points of a page or an offer. */
export function PointsField(about: string, options: Partial<FieldOptions> = {}) {
  const items = { type: 'string', maxLength: MAX_POINT };
  return Field(
    {
      description: `Points below the text, such as what the customer would lose. ${about} Blank ones are left out.`,
      example: ['Your 12 projects', 'The price from 2024'],
      ...options,
    },
    { type: 'array', items, maxItems: MAX_POINTS },
    `must be a list of at most ${MAX_POINTS} texts of at most ${MAX_POINT} characters`,
    (value) => Array.isArray(value) && value.length <= MAX_POINTS && value.every((point) => isText(point, MAX_POINT)),
  );
}

/** The points of a page or an offer that a customer sees. */
export function ShownPoints(below: string): PropertyDecorator {
  return ApiPropertyOptional({
    type: 'array',
    items: anyText(withValues(MAX_POINT)),
    maxItems: MAX_POINTS,
    description: `Points below the ${below}; absent without any.`,
    example: ['Your 12 projects', 'The price from 2024'],
  });
}
