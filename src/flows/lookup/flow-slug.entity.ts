import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Flow } from '../flow.entity';

/** The directory that leads from a slug to its workspace and flow. A row never changes. */
@Entity('flow_slugs')
@ForeignKey(() => Flow, ['workspace_id', 'flow_id'], ['workspace_id', 'id'], { name: 'flow_slugs_flow_fkey' })
export class FlowSlug {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'flow_slugs_pkey' })
  slug: string;

  @Column('uuid')
  workspace_id: string;

  @Column('uuid')
  flow_id: string;
}
