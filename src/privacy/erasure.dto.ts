import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '../platform/api/fields';
import { COUNT } from '../platform/api/schemas';

export class CustomerParams {
  @TextField({ description: "The customer's id in your own system.", max: 200 })
  customer_id: string;
}

export class ErasedDto {
  @ApiProperty({ enum: [true], type: 'boolean' })
  erased: true;

  @ApiProperty({ ...COUNT, example: 3, description: 'The number of sessions that the customer was erased from.' })
  sessions: number;
}
