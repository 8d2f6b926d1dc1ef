import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IMAGE_TYPES, type ImageType, MAX_IMAGE_BYTES } from './image-limits';

/** A picture that pages and offers show. It never changes: its id is made of its content, so the same picture has the same id everywhere. */
@Entity('images')
@Index('images_by_id', ['id'])
@Check('images_content_check', `octet_length(content) BETWEEN 1 AND ${MAX_IMAGE_BYTES}`)
@Check('images_type_check', `type IN (${IMAGE_TYPES.map((type) => `'${type}'`).join(', ')})`)
export class Image {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'images_pkey' })
  workspace_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'images_pkey' })
  id: string;

  @Column('text')
  type: ImageType;

  /** In pixels. */
  @Column('integer')
  width: number;

  @Column('integer')
  height: number;

  @Column('bytea', { select: false })
  content: Buffer;

  @Column('timestamptz')
  created_at: Date;
}
