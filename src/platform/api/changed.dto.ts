import { ApiProperty } from '@nestjs/swagger';
import { Id } from './shown';

/** Responses to changes, the same for every resource. */
class ChangedDto {
  @Id.like('019a9f3c-7a10-7c3b-b8a5-2d9e4f6a1b22')
  id: string;
}

const TRUE = { enum: [true], type: 'boolean' } as const;

export class UpdatedDto extends ChangedDto {
  @ApiProperty(TRUE)
  updated: true;
}

export class ArchivedDto extends ChangedDto {
  @ApiProperty(TRUE)
  archived: true;
}

export class DeletedDto extends ChangedDto {
  @ApiProperty(TRUE)
  deleted: true;
}

export class RevokedDto extends ChangedDto {
  @ApiProperty(TRUE)
  revoked: true;
}
