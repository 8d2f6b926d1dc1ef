import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IMAGE_TYPES, type ImageType, MAX_IMAGE_BYTES } from './image-limits';

/**
 * A picture that pages and offers show. It never changes: its id is made of the file that was sent, so the same picture
 * has the same id everywhere.
 */
@Entity('images')
@Index('images_by_id', ['id'])
@Index('images_with_metadata', ['workspace_id', 'id'], { where: 'NOT is_stripped' })
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

  /**
   * Whether it is without the metadata of its file, or can't be read any more. Older versions of the service keep the
   * file as it was sent.
   */
  @Column('boolean', { default: false, select: false })
  is_stripped: boolean;

  @Column('timestamptz')
  created_at: Date;
}
