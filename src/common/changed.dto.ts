import { ApiProperty } from '@nestjs/swagger';
import { ID } from './schemas';

const EXAMPLE_ID = '019a9f3c-7a10-7c3b-b8a5-2d9e4f6a1b22';

/** Responses to changes, the same for every resource. */
export class UpdatedDto {
  @ApiProperty({ enum: [true], type: 'boolean' })
  updated: true;

  @ApiProperty({ ...ID, example: EXAMPLE_ID })
  id: string;
}

export class ArchivedDto {
  @ApiProperty({ enum: [true], type: 'boolean' })
  archived: true;

  @ApiProperty({ ...ID, example: EXAMPLE_ID })
  id: string;
}

export class DeletedDto {
  @ApiProperty({ enum: [true], type: 'boolean' })
  deleted: true;

  @ApiProperty({ ...ID, example: EXAMPLE_ID })
  id: string;
}
