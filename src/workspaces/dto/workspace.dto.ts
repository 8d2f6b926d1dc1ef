import { ApiProperty } from '@nestjs/swagger';
import { MAX_PAGE, type Page, PageInfo } from '../../common/pagination';
import { COLOR, COUNT, filledText, ID, OPTIONAL_WEB_URL, ORIGIN, TIMESTAMP } from '../../common/schemas';
import { SECRET } from './api-key.dto';
import { MAX_ORIGINS } from './change-workspace.dto';
import { endOf, Usage } from '../usage';
import { Workspace } from '../workspace.entity';

/** The session limit of a workspace, and how much of it is used this month. */
export class UsageDto implements Usage {
  @ApiProperty({ ...COUNT, example: 1000, description: 'Sessions that may start in a calendar month (UTC).' })
  session_limit: number;

  @ApiProperty({ ...COUNT, example: 42, description: 'Sessions that have started this month.' })
  sessions_used: number;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-01T00:00:00.000Z', description: 'Start of the month, inclusive.' })
  period_start: Date;

  @ApiProperty({
    ...TIMESTAMP,
    example: '2026-12-01T00:00:00.000Z',
    description: 'End of the month, exclusive: the count starts again.',
  })
  period_end: Date;

  static of({ session_limit, sessions_in_period, period }: Workspace): UsageDto {
    return { session_limit, sessions_used: sessions_in_period, period_start: period, period_end: endOf(period) };
  }
}

/** A workspace: a tenant with its own flows, offers, sessions and keys. */
export class WorkspaceDto {
  @ApiProperty({ ...ID, example: '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10' })
  id: string;

  @ApiProperty({ ...filledText(200), example: 'Acme' })
  name: string;

  @ApiProperty({ ...COLOR, example: '#4f46e5', description: "The widget's main colour, in hexadecimal form." })
  primary_color: string;

  @ApiProperty({
    ...OPTIONAL_WEB_URL,
    example: 'https://acme.example/logo.svg',
    description: "The logo that the widget shows; '' for none.",
  })
  logo_url: string;

  @ApiProperty({
    type: 'array',
    items: ORIGIN,
    maxItems: MAX_ORIGINS,
    example: ['https://acme.example'],
    description: 'Origins whose pages may start sessions. If empty, pages of every origin may.',
  })
  allowed_origins: string[];

  @ApiProperty({
    type: 'boolean',
    example: false,
    description: 'Whether a start has to name its customer by a `customer_token`. Any other start is refused.',
  })
  require_customer_token: boolean;

  @ApiProperty({ type: UsageDto })
  usage: UsageDto;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  created_at: Date;

  static of(workspace: Workspace): WorkspaceDto {
    const { id, name, primary_color, logo_url, allowed_origins, require_customer_token, created_at } = workspace;
    return {
      id,
      name,
      primary_color,
      logo_url,
      allowed_origins,
      require_customer_token,
      usage: UsageDto.of(workspace),
      created_at,
    };
  }
}

export class WorkspaceListDto extends PageInfo {
  @ApiProperty({ type: [WorkspaceDto], maxItems: MAX_PAGE })
  workspaces: WorkspaceDto[];

  static of({ items, next_cursor }: Page<Workspace>): WorkspaceListDto {
    return { workspaces: items.map((workspace) => WorkspaceDto.of(workspace)), next_cursor };
  }
}

export class CreatedWorkspaceKeyDto {
  @ApiProperty({ ...ID, example: '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa' })
  id: string;

  @ApiProperty(SECRET)
  key: string;
}

export class CreatedWorkspaceDto {
  @ApiProperty({ ...ID, example: '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10' })
  id: string;

  @ApiProperty({ ...filledText(200), example: 'Acme' })
  name: string;

  @ApiProperty({
    type: CreatedWorkspaceKeyDto,
    description: "The workspace's first API key, which may read and write.",
  })
  api_key: CreatedWorkspaceKeyDto;
}
