import { ApiProperty } from '@nestjs/swagger';
import { anyText, filledText, KEY } from '../common/schemas';
import type { Answer } from './answers';

export class AnswerDto implements Answer {
  @ApiProperty({ ...KEY, example: 'reason', description: 'The key of the survey.' })
  node_key: string;

  @ApiProperty({ ...KEY, example: 'too_expensive', description: 'The value of the chosen option.' })
  option: string;

  @ApiProperty({ ...filledText(200), example: 'Too expensive', description: 'The option as the customer read it.' })
  label: string;

  @ApiProperty({
    ...anyText(5000),
    nullable: true,
    example: 'Twice the price of last year.',
    description: 'null if there is none, or the customer was erased.',
  })
  comment: string | null;
}
