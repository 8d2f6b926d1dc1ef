import { Id, True } from './fields/shown';

/** Responses to changes, the same for every resource. */
class ChangedDto {
  @Id.like('019a9f3c-7a10-7c3b-b8a5-2d9e4f6a1b22')
  id: string;
}

export class UpdatedDto extends ChangedDto {
  @True()
  updated: true;
}

export class ArchivedDto extends ChangedDto {
  @True()
  archived: true;
}

export class DeletedDto extends ChangedDto {
  @True()
  deleted: true;
}

export class RevokedDto extends ChangedDto {
  @True()
  revoked: true;
}
