import { PartialType } from '@nestjs/swagger';
import { ChoiceField, PatternField } from '../../platform/api/fields/fields';
import { type Brand, FONT, RADIUS, type Scheme, SCHEMES } from '../brand';

/** What customers' pages look like, beside the colour and the logo. */
export class BrandDto implements Brand {
  @PatternField(
    {
      description:
        'The font: names of families, the first that a device has. A font of your own has to be on your page. null: that of the system.',
      example: "Inter, 'Helvetica Neue', sans-serif",
      nullable: true,
    },
    FONT,
    `must be names of font families with commas between them, of at most ${FONT.maxLength} characters, such as Inter, sans-serif`,
  )
  font: string | null;

  @PatternField(
    { description: 'The radius of corners. null: 12px.', example: '12px', nullable: true },
    RADIUS,
    'must be a radius from 0px to 24px, such as 12px',
  )
  radius: string | null;

  @ChoiceField({
    description:
      '`light`, `dark`, or `auto`: as the customer’s device is set. null: the widget is light, unless your page says otherwise, and the pages ' +
      'of the service are `auto`.',
    values: SCHEMES,
    example: 'auto',
    nullable: true,
  })
  scheme: Scheme | null;
}

/** What is left out stays as it is. */
export class BrandChangesDto extends PartialType(BrandDto, { skipNullProperties: false }) {}
